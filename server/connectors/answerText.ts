// The text of an answer that people read. Some models write the call of a tool, which nobody offered, as text.

/** Longest text that is held back because it may be the call of a tool, in characters. */
const MAX_HELD_CHARS = 4000;
const TOOL_TAG = /^(?:<\/?(?:tool_call|function_call|function)\b|\[TOOL_CALLS\]|<\|(?:tool|python_tag))/i;
const TAG_STARTS = ["<tool_call", "<function", "[TOOL_CALLS]", "<|tool", "<|python_tag"];
const FENCE = /^```(?:json|tool_code|tool_call)?\s*/i;
const isVisible = (text: string) => /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(text);

/** Whether a text may still become the call of a tool. */
function mayBeCall(text: string) {
  const start = text.trimStart();
  if (TOOL_TAG.test(start) || TAG_STARTS.some((tag) => tag.startsWith(start))) return true;
  const inner = start.replace(FENCE, "");
  return inner === "" || inner.startsWith("{") || inner.startsWith("[{") || "```json".startsWith(start);
}

/** Whether a whole text is the call of a tool: a tag of one, or JSON with a name and arguments. */
function isCall(text: string) {
  const whole = text.trim();
  if (TOOL_TAG.test(whole)) return true;
  try {
    const parsed: unknown = JSON.parse(whole.replace(FENCE, "").replace(/```$/, ""));
    const [first] = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
    if (typeof first !== "object" || first === null) return false;
    const has = (...names: string[]) => names.some((name) => name in first);
    return (
      has("tool_calls", "function_call") || (has("name", "tool", "function") && has("arguments", "parameters", "args"))
    );
  } catch {
    return false;
  }
}

/**
 * Passes on the text of an answer from its first visible character on, and holds back what may be the call of a tool
 * until that is known.
 */
export function createAnswerText() {
  let held = "";
  let isOpen = false;
  return {
    /** The text that may be shown after a piece has arrived. */
    take(piece: string): string {
      if (isOpen) return piece;
      held += piece;
      if (!isVisible(held) || (mayBeCall(held) && held.length < MAX_HELD_CHARS)) {
        // White space without end is not kept.
        if (held.length > MAX_HELD_CHARS) held = "";
        return "";
      }
      isOpen = true;
      return held;
    },
    /** What is left to show at the end: nothing if the answer is empty or the call of a tool. */
    end(): string {
      if (isOpen || !isVisible(held) || isCall(held)) return "";
      isOpen = true;
      return held;
    },
  };
}
