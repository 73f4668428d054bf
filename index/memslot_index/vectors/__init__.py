"""Vectors: one small seam, and behind it an exact index, a graph, Chroma and sqlite-vss."""
