"""A LangGraph-style agent whose steps HASP skills watch: plan -> act -> observe, over `hasp serve`.

    python3 example_langgraph.py [hasp serve arguments]

Needs the `hasp` command on the path. Runs as a LangGraph graph where langgraph is installed, and as the same nodes in a
plain loop where it is not. The planner is a script, so no model and no key is needed: replace `plan` by your own.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any, Protocol, TypedDict

from hasp_client import Episode, Hasp

PAGES = {
    "Helen Walton": "Helen Walton was an American philanthropist. Her husband was Sam Walton.",
    "Sam Walton": "Sam Walton was an American businessman, born in Kingfisher, Oklahoma. He founded Walmart.",
}
QUESTION = "Who was the husband of Helen Walton, and where was he born?"
# A hasty agent: it answers before it has looked, and in a sentence.
SCRIPT = [
    ("SEARCH", "Helen Walton"),
    ("FINAL", "unknown"),
    ("SEARCH", "Sam Walton"),
    ("FINAL", "Answer: Sam Walton, born in Kingfisher"),
]


class State(TypedDict, total=False):
    """What the nodes hand on."""

    proposal: tuple[str, str]  # what the agent wants to do
    action: tuple[str, str]  # what is done
    read: str  # what the agent reads before its next proposal: an observation, and what skills say
    said: int  # proposals so far
    answer: str
    stopped: str


class Node(Protocol):
    """Does one thing, and answers what it changes of the state."""

    def __call__(self, state: State) -> State: ...


def search(query: str) -> str:
    """The agent's own tool: the pages that the query names."""
    found = [f"{title}: {text}" for title, text in PAGES.items() if title.lower() in query.lower()]
    return "\n".join(found) or "No results."


def nodes_for(episode: Episode) -> dict[str, Node]:
    """The three nodes of the graph, bound to one episode."""

    def plan(state: State) -> State:
        # A real planner puts episode.summaries into its system prompt, and adds state["read"] to its conversation.
        said = state.get("said", 0)
        if state.get("read"):
            print(f"  agent reads: {state['read']}")
        return {"proposal": SCRIPT[min(said, len(SCRIPT) - 1)], "said": said + 1}

    def act(state: State) -> State:
        decision = episode.step(*state["proposal"], thought="as the script says")
        for event in decision["events"]:
            if event["status"] not in ("skipped", "noop"):
                print(f"    {event['skill_id']} {event['status']}: {event['reason']}")
        ended = State()
        if "answer" in decision:
            ended["answer"] = decision["answer"]
        if "stopped" in decision:
            ended["stopped"] = decision["stopped"]
        to_do = not (decision["hold_back"] or decision.get("again") or ended)
        done = decision["executed"]
        print(f"{state['proposal']} -> {'think again' if not to_do and not ended else (done['type'], done['arg'])}")
        read = "" if to_do or ended else episode.message()
        return {"read": read, "action": (done["type"], done["arg"]) if to_do else ("", ""), **ended}

    def observe(state: State) -> State:
        kind, arg = state["action"]
        if kind == "":
            return {"read": state.get("read", "")}
        brought = search(arg) if kind == "SEARCH" else PAGES.get(arg, "Could not find that page.")
        episode.observe(brought)
        return {"read": episode.message(brought), **({"stopped": episode.stopped} if episode.stopped else {})}

    return {"plan": plan, "act": act, "observe": observe}


def is_over(state: State) -> bool:
    """The episode has its answer, or a budget is used up."""
    return "answer" in state or "stopped" in state


def run_graph(nodes: dict[str, Node]) -> Any:
    """The nodes as a LangGraph graph."""
    from langgraph.graph import END, START, StateGraph

    graph = StateGraph(State)
    for name, node in nodes.items():
        graph.add_node(name, node)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "act")
    graph.add_conditional_edges("act", lambda state: END if is_over(state) else "observe")
    graph.add_conditional_edges("observe", lambda state: END if is_over(state) else "plan")
    return graph.compile().invoke({}, {"recursion_limit": 100})


def run_plain(nodes: dict[str, Node]) -> State:
    """The same nodes without LangGraph."""
    state: State = {}
    while True:
        for node in nodes.values():
            state.update(node(state))
            if is_over(state):
                return state


def main() -> None:
    """Asks one question, with the server as a child process."""
    command = shlex.split(os.environ.get("HASP", "hasp"))
    with Hasp.start(*sys.argv[1:], command=command) as hasp:
        episode = hasp.open(QUESTION, search_returns_text=True)
        nodes = nodes_for(episode)
        try:
            state = run_graph(nodes)
        except ModuleNotFoundError:
            state = run_plain(nodes)
        print("answer:", state.get("answer"), state.get("stopped", ""))
        print(episode.close())


if __name__ == "__main__":
    main()
