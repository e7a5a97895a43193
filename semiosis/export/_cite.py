"""What to cite: the tool, and the papers whose methods it implements."""

import importlib.metadata

_PAPERS = """@article{jiang2026semiotic,
  title = {On Semiotic-Grounded Interpretive Evaluation of Generative Art},
  author = {Jiang, Ruixiang and Chen, Chang Wen},
  year = {2026},
  eprint = {2604.08641},
  archivePrefix = {arXiv},
  note = {Hierarchical Semiosis Graphs and SemJudge}
}
"""


def citation_bibtex() -> str:
    """Return BibTeX entries for Semiosis in this version and for the method's paper."""
    version = importlib.metadata.version("semiosis")
    tool = (
        "@software{semiosis,\n"
        "  title = {Semiosis: graphs of meaning for prompts and artworks},\n"
        "  author = {{The Semiosis developers}},\n"
        f"  version = {{{version}}},\n"
        "  license = {Apache-2.0}\n"
        "}\n"
    )
    return f"{tool}\n{_PAPERS}"
