"""The texts of receipts, in English and Chinese. What stands in braces is a name, a number or a word of ours, never a body."""

from __future__ import annotations

from memslot_sidecar.edge.language import Language

_TEXTS: dict[str, tuple[str, str]] = {
    "stored": ("stored {name}", "已保存 {name}"),
    "appended": ("appended to {name}", "已追加到 {name}"),
    "patched": ("patched {name}", "已修改 {name}"),
    "unchanged": ("unchanged {name}", "内容相同，未改动 {name}"),
    "new": (" (new: there was none)", "（新建：原先没有）"),
    "forgotten": ("forgot {name}", "已删除 {name}"),
    "erase_pending": (" (its bytes are still being wiped)", "（其数据仍在擦除）"),
    "absent": ("nothing to forget: {name}", "没有可删除的：{name}"),
    "evicted": (" (evicted: {names})", "（已淘汰：{names}）"),
    "limit_near": (" (memory is nearly full)", "（记忆快满了）"),
    "clamped": (" (kept for less time than asked)", "（保存时间短于所求）"),
    "read": ("read {name}: given to the application", "已读取 {name}：已交给应用"),
    "shown": ("read {name}: shown once below", "已读取 {name}：下方仅显示这一次"),
    "summary_shown": (
        "read {name}: too long, its summary is shown once below",
        "已读取 {name}：太长，下方仅显示一次摘要",
    ),
    "not_shown": (
        "read {name}: too long to be shown, given to the application",
        "已读取 {name}：太长未显示，已交给应用",
    ),
    "not_text": ("read {name}: not text, given to the application", "已读取 {name}：不是文本，已交给应用"),
    "not_found": ("not found: {name}", "未找到：{name}"),
    "nearest": (" (nearest: {nearest})", "（最接近：{nearest}）"),
    "names": ("names: {names}", "名称：{names}"),
    "no_names": ("no names", "没有名称"),
    "found": ("found: {names}", "找到：{names}"),
    "found_by_name": (
        "found by name (searching texts is not enabled): {names}",
        "按名称找到（未启用文本搜索）：{names}",
    ),
    "nothing_found": ("nothing found", "没有找到"),
    "nothing_found_by_name": (
        "nothing found by name (searching texts is not enabled): mem_lookup lists the names",
        "按名称没有找到（未启用文本搜索）：可用 mem_lookup 列出名称",
    ),
    "more": (", and {count} more", "，另有 {count} 个"),
    "many_more": (", and more than {count} more", "，另有超过 {count} 个"),
    "some_more": (", and more", "，还有更多"),
    "valid": ("valid: {action}{name}", "有效：{action}{name}"),
    "reject": ("not run: {hint}", "未执行：{hint}"),
    "unanswered": ("nothing was run", "没有执行任何操作"),
    "too_large": (
        "too large: {size} of {limit} bytes, split it ({name})",
        "太大：{size}/{limit} 字节，请拆分（{name}）",
    ),
    "slot_limit": (
        "not stored {name}: all {limit} slots are used, forget one first (least used: {lowest})",
        "未保存 {name}：{limit} 个槽位已用完，请先删除一个（最少使用：{lowest}）",
    ),
    "store_full": ("not stored {name}: the store is full", "未保存 {name}：存储已满"),
    "mismatch": (
        "not appended to {name}: it holds {content_type}; append text to a text, values to a JSON array",
        "未追加到 {name}：它是 {content_type}；文本只能追加到文本，值只能追加到 JSON 数组",
    ),
    "mismatch_patch": (
        "not patched {name}: it holds {content_type}, not JSON; use mem_append or mem_write",
        "未修改 {name}：它是 {content_type}，不是 JSON；请用 mem_append 或 mem_write",
    ),
    "name_too_long": ("slot has {size} bytes, at most {limit}", "slot 有 {size} 字节，最多 {limit}"),
    "name_character": (
        "slot holds a forbidden character at {position}",
        "slot 在第 {position} 个字符处含有不允许的字符",
    ),
    "over_budget": (
        "not read {name}: the reply is full, read it again by itself",
        "未读取 {name}：回复已满，请单独再读一次",
    ),
    "unavailable": ("not run {name}: memory cannot be reached now, try again", "未执行 {name}：记忆暂时不可用，请重试"),
    "refused": ("not run: {problem}", "未执行：{problem}"),
    "unknown_argument": (
        "{action} has no argument {argument}; it takes {allowed}",
        "{action} 没有参数 {argument}；可用参数：{allowed}",
    ),
    "an_unknown_argument": ("{action} takes only {allowed}", "{action} 只接受 {allowed}"),
    "no_text": ("{argument} must be a text", "{argument} 必须是文本"),
    "empty": ("{argument} is empty", "{argument} 为空"),
    "too_long": (
        "{argument} has {size} bytes, at most {limit}: use what matters in it",
        "{argument} 有 {size} 字节，最多 {limit}：请只用其中的要点",
    ),
    "not_number": ("{argument} must be a number from {low} to {high}", "{argument} 必须是 {low} 到 {high} 之间的数"),
    "not_count": ("{argument} must be a whole number from 1", "{argument} 必须是不小于 1 的整数"),
    "not_tags": ("{argument} must be a list of texts", "{argument} 必须是文本列表"),
    "not_ttl": (
        "{argument} must be seconds, a time such as 24h or 7d, or never",
        "{argument} 必须是秒数、24h 或 7d 这样的时间，或 never",
    ),
    "not_patch": (
        "a patch is a JSON object of changes; to replace a value use mem_write",
        "补丁必须是包含改动的 JSON 对象；要替换整个值请用 mem_write",
    ),
}


def say(language: Language, key: str, **values: object) -> str:
    """A text with its values."""
    return _TEXTS[key][language - 1].format(**values)
