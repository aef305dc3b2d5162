"""The part of HASP Studio that runs on the login node of a target: one request for each start, no daemon.

It is sent along with every request and is not installed there. Python 3.6 and its standard library are all it needs.
"""
