"""Writes test/context/fixtures/bm25s.json: documents, queries and the scores that bm25s gives them.

    python3 -m venv VENV && VENV/bin/pip install bm25s==0.3.16
    VENV/bin/python bench/retrieval/bm25s-fixture.py > test/context/fixtures/bm25s.json
"""

import json
import random

import bm25s

random.seed(5)
WORDS = [a + b for a in ("lock", "queue", "node", "parse", "flush", "index") for b in ("", "er", "ing", "set", "map", "file")]
WEIGHTS = [1 / (rank + 1) for rank in range(len(WORDS))]
documents = [random.choices(WORDS, WEIGHTS, k=random.randint(1, 120)) for _ in range(40)]
queries = [random.sample(WORDS, k=random.randint(1, 8)) for _ in range(12)]
results = []
for k1, b in ((1.2, 0.75), (0.9, 0.4)):
    model = bm25s.BM25(k1=k1, b=b, method="lucene")
    model.index(documents, show_progress=False)
    scores = [[float(score) for score in model.get_scores(query)] for query in queries]
    results.append({"k1": k1, "b": b, "scores": scores})
print(json.dumps({"bm25s": bm25s.__version__, "documents": documents, "queries": queries, "results": results}))
