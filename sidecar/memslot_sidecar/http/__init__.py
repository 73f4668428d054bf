"""The HTTP face: the same routes as behind gRPC, by the Connect unary protocol and by three simple ones. See DESIGN.md here.

Imported only when ``--http-listen`` or ``--metrics-listen`` is set.
"""
