"""Words that say how a question is put and not what it is about. They are dropped from queries and kept in the index."""

from __future__ import annotations

import re

_ENGLISH = """
    a about after again all also although always am among an and any anybody anyone anything are aren as at
    be because been before being between both but by
    can cannot could couldn
    did didn do does doesn doing don done during
    each either else ever every everybody everyone everything
    few for from further
    get gets getting got
    had hadn has hasn have haven having he her here hers herself him himself his how however
    i if in into is isn it its itself
    just
    know known
    let like likely lot
    many maybe me might mightn mine more most much must mustn my myself
    need neither no nobody none nor not nothing now
    of off often on once one only onto or other others our ours ourselves out over own
    perhaps please
    quite
    rather really regarding
    same shall shan she should shouldn since so some somebody someone something sometimes still such
    tell than that the their theirs them themselves then there these they thing things this those though through to too toward towards
    under unless until up upon us
    very
    was wasn we were weren what whatever when whenever where wherever whether which whichever while who whoever whom whose why will with
    within without won would wouldn
    yes yet you your yours yourself yourselves
"""

ENGLISH = frozenset(_ENGLISH.split())
_CHINESE = """
    的 了 着 过 吗 嘛 呢 吧 啊 呀 哦 么 哪 谁 何 几 多少 是 在 和 与 及 或 跟 就 也 都 还 又 很 太 最 更 才 只 再 把 被 让 给 对 从 向 往 由 为 以 于
    而 但 且 之 其 此 这 那 我 你 您 他 她 它 们 自己 咱 个 些 有 没 没有 不 要 会 能 可以 可 该 应该 得 地 所 并 则 如 若 因 等 得到 来 去 到
    什么 什麽 甚麼 怎么 怎麼 怎样 怎樣 怎么样 怎麼樣 如何 为什么 為什麼 为何 為何 哪里 哪裡 哪儿 哪兒 哪个 哪個 哪些 哪位 哪天 哪年 哪种 何时 何時 何地 何处
    什么时候 什麼時候 什么地方 什麼地方 什么样 时候 時候 多久 多大 多长 几个 幾個 几次 多少次 是否 有没有 是不是 能不能 可不可以
    这个 這個 那个 那個 这些 那些 这里 這裡 那里 那裡 这样 那样 一个 一個 一些 一下 一点 关于 關於 因为 所以 但是 如果 虽然 而且 或者 以及 还是 已经
    请 請 请问 請問 告诉 告訴 知道 记得 記得 想知道 有关 相关
    嗎 麼 誰 幾 與 還 讓 給 對 從 為 這 個 們 沒 沒有 會 應該 來 後來
"""
_JAPANESE = """
    は が を に で と も の へ や か ね よ な て た だ から まで より など だけ ので のに でも では には とは って という
    です でした ます ました ません ましたか ますか ですか でしたか だった した して する すると いる いた いて ある あった れる られる せる
    いつ どこ だれ 誰 なに 何 なん なぜ どう どの どれ どんな どうして どうやって いくつ いくら どちら
    これ それ あれ この その あの ここ そこ あそこ こと もの とき ため よう そう 私 僕 彼 彼女 あなた 教えて ください について
"""
_KOREAN_WORDS = """
    무엇 무슨 뭐 뭘 누구 누가 언제 어디 어느 어떤 어떻게 왜 얼마나 얼마 몇 그 이 저 그녀 그는 나는 내가 우리 당신 것 수 및 또는 그리고 하지만 대해 대한
    있나요 있는지 있었나요 했나요 하나요 인가요 입니까 습니까 습니다 입니다 었나요 았나요 나요 까요 했어 했어요 인지 알려줘 알려 주세요
"""
_KOREAN_ENDINGS = (
    "은 는 이 가 을 를 에 의 도 로 와 과 만 에서 에게 한테 으로 부터 까지 이나 처럼 보다 이다 하고 에는 에서는"
)


def _pattern() -> re.Pattern[str]:
    unspaced = f"{_CHINESE} {_JAPANESE} {_KOREAN_WORDS}".split()
    longest_first = "|".join(sorted(unspaced, key=len, reverse=True))
    endings = "|".join(sorted(_KOREAN_ENDINGS.split(), key=len, reverse=True))
    return re.compile(rf"{longest_first}|(?<=[가-힣])(?:{endings})\Z")


UNSPACED = _pattern()
"""The stop words of Chinese, Japanese and Korean, to be found within a run of characters, leftmost and longest first."""
