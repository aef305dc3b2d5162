# Imported before the memory snapshot is made: modules that programs often use, and no state of chance (`random`).
import ast, asyncio, atexit, bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, heapq
import inspect, io, itertools, json, linecache, math, operator, re, site, string, time, traceback, types, typing
