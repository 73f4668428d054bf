"""What a diagnosis says, in English and Chinese. What stands in braces is a name, a number or a reason, never a body."""

from __future__ import annotations

from memslot_sidecar.edge.diagnosis.evidence import Finding
from memslot_sidecar.edge.language import Language

_TEXTS: dict[str, tuple[str, str]] = {
    "NO_OUTPUT": (
        "no output of this turn was noted: it was not given to Act under this turn and conversation",
        "没有记录本轮的输出：它没有以该轮次和会话交给 Act",
    ),
    "OUTPUT_READ": (
        "an output of {characters} characters was read strictly",
        "已按严格模式读取 {characters} 个字符的输出",
    ),
    "OUTPUT_READ_LENIENT": (
        "an output of {characters} characters was read leniently",
        "已按宽松模式读取 {characters} 个字符的输出",
    ),
    "VALIDATED_ONLY": (
        "it was only validated (validate_only): nothing was executed",
        "仅做了校验（validate_only）：没有执行任何操作",
    ),
    "NO_ACTION": ("the model wrote no memory action", "模型没有写出任何记忆操作"),
    "ANSWER_WITHOUT_READ": (
        "the answer was given without a mem_read of {name}, which is stored",
        "回答前没有 mem_read 已存在的 {name}",
    ),
    "ANSWER_WITHOUT_LOOKING": (
        "the answer was given without looking into memory",
        "回答前没有查看记忆",
    ),
    "ANSWER_DIFFERS": (
        "the answer holds none of what slot {name} says: it may contradict it",
        "回答中没有 {name} 的任何内容：可能与其矛盾",
    ),
    "PARSED": ("{action} of {name} was found ({shape})", "找到 {name} 的 {action}（{shape}）"),
    "PARSED_NAMELESS": ("{action} was found ({shape})", "找到 {action}（{shape}）"),
    "REPAIRED": (
        "{action} {name} was found after mending: {repairs} ({shape})",
        "修复后找到 {action} {name}：{repairs}（{shape}）",
    ),
    "REPAIRED_NAMELESS": (
        "{action} was found after mending: {repairs} ({shape})",
        "修复后找到 {action}：{repairs}（{shape}）",
    ),
    "REJECTED": (
        "characters {start} to {end} looked like an action and were not run ({reason}): {hint}",
        "第 {start} 到 {end} 个字符像是操作但未执行（{reason}）：{hint}",
    ),
    "LENIENT_FINDS_MORE": (
        "lenient mode would take {count} more",
        "宽松模式可多识别 {count} 个操作",
    ),
    "IS_STORED": ("{name} is stored, at revision {revision}", "{name} 已保存，版本号 {revision}"),
    "NOT_EXECUTED": ("{action} {name} was valid, and was not executed", "{action} {name} 有效，但未执行"),
    "REFUSED": ("{action} {name} was refused: {reason}", "{action} {name} 被拒绝：{reason}"),
    "WRITTEN": ("{action} wrote {name} at revision {revision}", "{action} 在版本 {revision} 写入 {name}"),
    "READ": (
        "{name} was read at revision {revision}, and its body was given to the application",
        "已在版本 {revision} 读取 {name}，内容已交给应用",
    ),
    "DONE": ("{action} {name} was executed", "{action} {name} 已执行"),
    "LISTED": ("{action} was executed", "{action} 已执行"),
    "CHANGED_SINCE": (
        "{name} was written at revision {revision} and changed at {since} by {who}{in_turn}",
        "{name} 在版本 {revision} 写入，又在版本 {since} 被 {who} 修改{in_turn}",
    ),
    "FORGOTTEN_SINCE": (
        "{name} was forgotten at revision {since} by {who}{in_turn}",
        "{name} 在版本 {since} 被 {who} 删除{in_turn}",
    ),
    "EXPIRED_SINCE": ("{name} has expired: give it a longer ttl", "{name} 已过期：请给它更长的 ttl"),
    "GONE_SINCE": (
        "{name} is not there any more, and what became of it is no longer known",
        "{name} 已不存在，且无法得知原因",
    ),
    "EVICTED_SINCE": (
        "{name} was evicted at revision {since} to make room: raise slot_limit or pin it",
        "{name} 在版本 {since} 因空间不足被淘汰：请提高 slot_limit 或固定它",
    ),
    "READ_AFTER_FORGOTTEN": (
        "{name} was not there: it had been forgotten at revision {since} by {who}{in_turn}",
        "没有找到 {name}：它已在版本 {since} 被 {who} 删除{in_turn}",
    ),
    "READ_AFTER_EXPIRED": ("{name} was not there: it had expired", "没有找到 {name}：它已过期"),
    "READ_AFTER_EVICTED": (
        "{name} was not there: it had been evicted at revision {since}",
        "没有找到 {name}：它已在版本 {since} 被淘汰",
    ),
    "READ_BEFORE_WRITTEN": (
        "{name} was read before it was written, at revision {since}{in_turn}",
        "{name} 在写入之前被读取（写入版本 {since}）{in_turn}",
    ),
    "NEVER_WRITTEN": ("there is no slot {name}, and none was noted", "没有槽位 {name}，也没有相关记录"),
    "NEVER_WRITTEN_NEAR": (
        "there is no slot {name}; the nearest name is {nearest}",
        "没有槽位 {name}；最接近的名称是 {nearest}",
    ),
    "FEED_ENDS": (
        "the change feed does not go back far enough to tell all that happened",
        "变更记录不够久远，无法说明全部经过",
    ),
    "NO_PROMPT": (
        "no prompt was looked through: record turns with their prompts, or give it here",
        "没有检查过提示词：请用提示词记录轮次，或在此提供",
    ),
    "BODY_CAME_BACK": (
        "the body of {name} came back: {characters} characters of it stand in message {message}{of_turn}",
        "{name} 的内容又出现了：第 {message} 条消息中有 {characters} 个字符{of_turn}",
    ),
    "BODY_INJECTED": (
        "{characters} characters of {name} are shown, as injection {injection} allows",
        "按注入 {injection} 的许可显示了 {name} 的 {characters} 个字符",
    ),
    "NOT_ALL_COMPARED": (
        "not all of memory could be compared with the prompt: ask again, or wait longer",
        "未能将全部记忆与提示词比较：请重试或延长等待时间",
    ),
    "MORE": ("{count} more findings are not told", "另有 {count} 项未列出"),
    "NO_BODY": ("no stored body stands in the prompt unasked", "提示词中没有未经许可的已存内容"),
    "NO_CARD": (
        "no prompt card was asked for in this conversation: the model may not know the names",
        "本会话没有请求过提示卡：模型可能不知道有哪些名称",
    ),
    "ON_CARD": ("the card lists {name}", "卡片列出了 {name}"),
    "NEWER_THAN_CARD": (
        "{name} is newer than the card: only its tail tells of it",
        "{name} 比卡片新：只有卡片尾部提到它",
    ),
    "NOT_ON_CARD": (
        "the card does not list {name}, only {listed} others: raise max_chars, its importance, or use mem_search",
        "卡片没有列出 {name}，只列出其他 {listed} 个：请增大 max_chars、提高其重要性，或使用 mem_search",
    ),
    "NEVER_READ": ("{name} was not read in any later turn", "之后的轮次都没有读取 {name}"),
    "NOT_RECORDED": (
        "the tokens of this turn were not recorded (RecordTurn)",
        "没有记录本轮的 token（RecordTurn）",
    ),
    "LEAKED": (
        "{leaked} characters of bodies stand in the prompt of turn {turn} unasked",
        "第 {turn} 轮的提示词中有 {leaked} 个未经许可的内容字符",
    ),
    "SAVES": (
        "the prompt of turn {turn} has {prompt} characters, {inlined} with all memory in it",
        "第 {turn} 轮的提示词有 {prompt} 个字符，全部内联则为 {inlined}",
    ),
    "INSTRUCTION_COSTS_MORE": (
        "in turn {turn} card and schemas ({instruction} characters) cost more than they spare",
        "第 {turn} 轮的卡片和工具定义（{instruction} 个字符）比节省的还多",
    ),
    "INLINING_CHEAPER": (
        "in turn {turn} the prompt has {prompt} characters, no fewer than the {inlined} with all memory in it",
        "第 {turn} 轮的提示词有 {prompt} 个字符，不少于全部内联的 {inlined}",
    ),
}
_IN_TURN = (" in turn {turn}", "（第 {turn} 轮）")
_OF_TURN = (" of turn {turn}", "（第 {turn} 轮）")
_WHOLE = ("nothing broke", "没有发现问题")


def say(finding: Finding, language: Language) -> str:
    """A finding in words."""
    at = language - 1
    turn = finding.values.get("turn", "")
    values = dict(finding.values) | {
        "in_turn": _IN_TURN[at].format(turn=turn) if turn else "",
        "of_turn": _OF_TURN[at].format(turn=turn) if turn else "",
    }
    return _TEXTS[finding.reason][at].format(**values)


def whole(language: Language) -> str:
    """When there is nothing to be said."""
    return _WHOLE[language - 1]
