/**
 * Names that answers with a `class Solution` use without importing them, as their sites allow: `collections`, `functools`, `heapq`,
 * `itertools`, `math`, `typing` and the like with all that they export.
 */
export const CONTEST_NAMES: ReadonlySet<string> = new Set(
  (
    "AbstractSet accumulate acos acosh Annotated Any AnyStr asin asinh assert_never assert_type AsyncContextManager AsyncGenerator " +
    "AsyncIterable AsyncIterator atan atan2 atanh Awaitable BinaryIO bisect bisect_left bisect_right ByteString cache " +
    "cached_property Callable cast cbrt ceil chain ChainMap ClassVar clear_overloads cmp_to_key Collection collections comb " +
    "combinations combinations_with_replacement compress Concatenate Container ContextManager copysign Coroutine cos cosh count " +
    "Counter cycle dataclass_transform DefaultDict defaultdict degrees Deque deque Dict dist dropwhile e erf erfc exp exp2 expm1 " +
    "fabs factorial filterfalse Final final floor fmod ForwardRef frexp FrozenSet fsum functools gamma gcd Generator Generic " +
    "get_args get_origin get_overloads get_type_hints groupby Hashable heapify heappop heappush heappushpop heapq heapreplace " +
    "hypot inf insort insort_left insort_right IO is_typeddict isclose isfinite isinf islice isnan isqrt ItemsView Iterable " +
    "Iterator itertools KeysView lcm ldexp lgamma List Literal LiteralString log log10 log1p log2 lru_cache Mapping MappingView " +
    "Match math merge modf MutableMapping MutableSequence MutableSet NamedTuple namedtuple nan Never NewType nextafter nlargest " +
    "no_type_check no_type_check_decorator NoReturn NotRequired nsmallest operator Optional OrderedDict overload pairwise " +
    "ParamSpec ParamSpecArgs ParamSpecKwargs partial partialmethod Pattern perm permutations pi prod product Protocol radians " +
    "random re reduce remainder repeat Required reveal_type Reversible runtime_checkable Self Sequence Set sin singledispatch " +
    "singledispatchmethod sinh Sized sqrt starmap string SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex " +
    "SupportsInt SupportsRound sys takewhile tan tanh tau tee Text TextIO total_ordering trunc Tuple Type TYPE_CHECKING TypeAlias " +
    "TypedDict TypeGuard TypeVar TypeVarTuple ulp Union Unpack update_wrapper UserDict UserList UserString ValuesView " +
    "WRAPPER_ASSIGNMENTS WRAPPER_UPDATES wraps zip_longest"
  ).split(" "),
);
