"""The BibTeX entries of Semiosis and of the papers whose methods it implements."""

import importlib.metadata

_PAPERS = """@misc{jiang2026semiotic,
  title = {On Semiotic-Grounded Interpretive Evaluation of Generative Art},
  author = {Jiang, Ruixiang and Chen, Chang Wen},
  year = {2026},
  howpublished = {arXiv:2604.08641},
  eprint = {2604.08641},
  archivePrefix = {arXiv},
  note = {Hierarchical Semiosis Graphs and SemJudge}
}

@misc{zhu2024semantic,
  title = {Evaluating Semantic Variation in Text-to-Image Synthesis: A Causal Perspective},
  author = {Zhu, Xiangru and Sun, Penglei and Song, Yaoxian and Xiao, Yanghua and Li, Zhixu and Wang, Chengyu
            and Huang, Jun and Yang, Bei and Xu, Xiaoxiao},
  year = {2024},
  howpublished = {arXiv:2410.10291},
  eprint = {2410.10291},
  archivePrefix = {arXiv},
  note = {SemVarEffect; cite it if you use the statistics of semantic variation}
}

@inproceedings{tian2025visual,
  title = {AI-generated Image Quality Assessment in Visual Communication},
  author = {Tian, Yu and Li, Yixuan and Chen, Baoliang and Zhu, Hanwei and Wang, Shiqi and Kwong, Sam},
  booktitle = {Proceedings of the AAAI Conference on Artificial Intelligence},
  year = {2025},
  note = {AIGI-VC; cite it if you use the statistics of pairwise preference}
}

@misc{he-semiotic-gap,
  title = {More Than Meets the Eye: Measuring the Semiotic Gap in Vision-Language Models via Semantic
           Anchorage},
  author = {He, Wei},
  note = {DIVA; cite it if you use the semantic alignment gap}
}

@misc{yu-art-critique,
  title = {Cross-Cultural Expert-Level Art Critique Evaluation with Vision-Language Models},
  author = {Yu, Haorui and Wen, Xuehang and Zhang, Fengrui and Yi, Qiufeng},
  note = {VULCA; cite it if you use the statistics of critiques}
}
"""


def citation_bibtex() -> str:
    """Return BibTeX entries for Semiosis in this version and for the papers whose methods it implements."""
    version = importlib.metadata.version("semiosis")
    tool = (
        "@misc{semiosis,\n"
        "  title = {Semiosis: graphs of meaning for prompts and artworks},\n"
        "  author = {{The Semiosis developers}},\n"
        f"  version = {{{version}}},\n"
        "  license = {Apache-2.0}\n"
        "}\n"
    )
    return f"{tool}\n{_PAPERS}"
