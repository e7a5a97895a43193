"""The cost of a comparison by each judge of a study."""

import math
from collections import defaultdict

from semiosis.study._study import Study
from semiosis.values import Verdict


def judge_costs(study: Study) -> dict[str, float]:
    """Return the cost of one comparison in US dollars, by judge, without the cost of its readings.

    A judge is named as in the table of judges. It is left out if one of its verdicts records no cost, because
    a partial sum is not its cost.
    """
    by_judge: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in study.verdicts:
        by_judge[study.judge_labels[verdict.evaluator.id]].append(verdict)
    costs = {}
    for judge, judged in by_judge.items():
        paid = [v.usage.cost for v in judged if v.usage and v.usage.cost is not None]
        if len(paid) == len(judged):
            costs[judge] = math.fsum(paid) / len({v.comparison for v in judged})
    return costs
