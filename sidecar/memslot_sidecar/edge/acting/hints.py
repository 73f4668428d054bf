"""Why something was no action, in Chinese; in English the parser's hint says it."""

from __future__ import annotations

from memslot_sidecar.edge.language import Language
from memslot_sidecar.parsing import Reject

_CHINESE = {
    "TRUNCATED": "输出在动作结束前中断：请提高输出上限或拆分内容后重写",
    "MALFORMED_JSON": "不是有效的 JSON：请写一个完整的 JSON 对象，用双引号并转义换行",
    "MALFORMED_CALL": "调用的参数不是字面量：请写 name=value",
    "MALFORMED_MARKUP": "标签不配对：请打开并关闭每个参数和调用",
    "AMBIGUOUS": "有两种读法：请转义文本中的引号和反斜杠",
    "AMBIGUOUS_MARKUP": "值中含有调用本身的标签：请用 JSON 给出参数",
    "AMBIGUOUS_NAME": "一个调用写了两个动作名：请分成两个调用",
    "AMBIGUOUS_ARGUMENTS": "参数写在了两处：请只写一次",
    "DUPLICATE_KEY": "同一个键出现两次且值不同：请只写一次",
    "NOT_A_NUMBER": "JSON 没有 NaN 和 Infinity：请用 null 或文本",
    "NUMBER_OUT_OF_RANGE": "数字太大：请写成文本",
    "TOO_DEEP": "嵌套超过 128 层：请展平或写成文本",
    "LONE_SURROGATE": "含有半个字符：请写完整的字符",
    "MISSING_ARGUMENT": "缺少必需的参数",
    "NOT_A_TEXT": "参数必须是文本：请加双引号",
    "ARGUMENTS_NOT_AN_OBJECT": "参数不是一个 JSON 对象",
    "TEXT_AFTER_ARGUMENTS": "参数后面还有内容：请只写一个 JSON 对象",
    "UNKNOWN_ACTION": "没有这个动作：可用 mem_write、mem_append、mem_patch、mem_read、mem_forget、mem_lookup、mem_search",
    "FOREIGN_NAMESPACE": "名称带有未知前缀：请用不带前缀的名称",
    "PLACEHOLDER": "参数是占位符：请填入真实内容",
    "SCHEMA_NOT_CALL": "这是模式而不是调用",
    "NESTED_ACTION": "其他 JSON 里的动作不执行：请单独写",
    "UNREADABLE_CALL": "读不出调用：请用文档中的一种写法",
    "QUOTED_INLINE": "行内代码中的动作视为示例：请单独写，不加反引号",
    "EXAMPLE": "标为示例的代码块不执行：请去掉该标签",
    "SAMPLE_CODE": "含有其他代码的代码块视为给用户的代码：请单独写调用",
    "MID_SENTENCE": "句子中间的调用视为提及：请单独一行",
    "REASONING_NOT_CLOSED": "思考没有结束，视为草稿：请先结束思考再调用",
    "REASONING_UNCLEAR": "后面又有思考的结束，可能是草稿：请在其后调用",
    "AFTER_INVENTED_RESULT": "它跟在自己编造的结果之后：请先等结果",
    "QUOTED_BESIDE_CALLS": "消息已有工具调用，文本中的动作视为引用：请写成工具调用",
    "TOO_TANGLED": "残缺的对象太多：请写得更少而完整",
    "TOO_MANY_ACTIONS": "一次输出的动作太多：请在下一次写其余的",
    "TOO_MANY_REJECTS": "还有更多像动作的地方：请写得更少而完整",
}
_OTHERWISE = "写法不严格（{reason}）：请严格用文档中的一种写法"


def hint(reject: Reject, language: Language) -> str:
    """What the model can do about a reject."""
    if language is Language.EN:
        return reject.hint
    return _CHINESE.get(reject.reason) or _OTHERWISE.format(reason=reject.reason)
