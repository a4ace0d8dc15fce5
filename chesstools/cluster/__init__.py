"""The same work on many machines: tasks on a Dask cluster, of which a run is the client.

What is spread over a cluster is a function and a number of items. Dask chooses the workers, moves the results and does again
what died with its worker; what is here only speaks with it. A function that is called twice for the same item, even at the same
time, must leave the same behind.
"""

from __future__ import annotations

from chesstools.cluster.connect import connected
from chesstools.cluster.joined import Cluster
from chesstools.cluster.run import Done, State

__all__ = ["Cluster", "Done", "State", "connected"]
