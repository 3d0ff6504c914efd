"""kube-scheduler's rules, exactly: a model of a cluster as arrays, and every plugin as a function over it.

`model` has the arrays, `build` makes them from Kubernetes' field names, `filters`, `scores`, `preempting` and `cycle`
are compiled, `cases` answers the cases of upstream's own tests with them.
"""
