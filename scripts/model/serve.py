"""Serves a GGUF file on loopback with OpenAI's protocol: serve.py <weights> <port> <threads>. Ends when its input ends."""

import os
import sys

import xllamacpp

weights, port, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params = xllamacpp.CommonParams()
params.model.path = weights
params.hostnames = ["127.0.0.1"]
params.port = port
params.cpuparams.n_threads = threads
params.cpuparams_batch.n_threads = threads
# Two conversations keep their prompts; each has room for an author's prompt of 8,000 tokens and its reply.
params.n_parallel = 2
params.n_ctx = 2 * 12288
params.use_jinja = True
server = xllamacpp.Server(params)
sys.stdin.read()
# Not through the server's destructor, which waits for a request under way.
os._exit(0)
