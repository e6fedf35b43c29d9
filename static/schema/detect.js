// What a pasted text seems to be, so that the page can offer the kind it is.

const DETECT_KEYWORDS = '\\$schema|\\$id|\\$ref|\\$defs|definitions|properties|patternProperties|additionalProperties|required|type|enum|const|anyOf|oneOf|allOf|not|items|prefixItems|pattern|format|minimum|maximum|minLength|maxLength|minItems|maxItems';
// A keyword with a colon, in JSON's quotes or in those of a dict that was printed.
const DETECT_SCHEMA = new RegExp(`(["'])(?:${DETECT_KEYWORDS})\\1\\s*:`);
const DETECT_TOOL = /(["'])type\1\s*:\s*(["'])function\2|(["'])(?:input_schema|inputSchema)\3\s*:/;
const DETECT_PARAMETERS = ['parameters', 'input_schema', 'inputSchema'];
// GBNF and EBNF; a rule of Lark with a start, a directive or a terminal.
const DETECT_RULES = /^[ \t]*<?[\w-]+>?[ \t]*::=/m;
const DETECT_LARK = /^[?!]?start(?:\.-?\d+)?[ \t]*:|^%(?:import|ignore|declare)\b|^[A-Z][A-Z0-9_]*(?:\.-?\d+)?[ \t]*:[ \t]*["/(]/m;
const DETECT_CLASS = /^[ \t]*class[ \t]+\w+[ \t]*(?:\([^)]{0,200}\))?[ \t]*:/m;
const DETECT_PYDANTIC = /BaseModel|pydantic|RootModel|TypedDict|dataclass/;
const DETECT_FIELD = /^[ \t]+\w+[ \t]*:[ \t]*\w/m;
const DETECT_IMPORT = /^[ \t]*(?:from|import)[ \t]+pydantic\b/m;
const DETECT_PYTHON = /^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import|import[ \t]+\w|class[ \t]+\w|def[ \t]+\w|@\w)/m;
// With bounds: this is tried on every edit, on texts of any length. What stands in a regex and hardly anywhere else, then what stands in many a plain text too.
const DETECT_REGEX = /\\[dDwWsSbBpPx.]|\[[^\]\s]{1,200}\](?:[*+?]|\{\d)|\(\?[:iPsmx=!<]|\{\d{1,6}(?:,\d{0,6})?\}|\([^()|]{0,200}\|[^()]{0,200}\)|\.[*+]|^\^.*\$$/;
const DETECT_MAYBE = /^\[[^\]\s"']+\]$|\)[*+?]|^\^|\$$|\S\|\S|^[^\s"{]+[*+]$/;

const DETECT_LINES = 200;

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

function isTool(value) {
  if (!value || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length > 0 && value.every(isTool);
  if (Array.isArray(value.tools)) return isTool(value.tools);
  if (value.type === 'function') return true;
  return typeof value.name === 'string' && DETECT_PARAMETERS.some((key) => value[key] && typeof value[key] === 'object');
}

// What begins as JSON does; what doesn't parse may be cut, mistyped or printed by another language.
function ofJson(text) {
  const value = parsed(text);
  if (value === undefined) return DETECT_TOOL.test(text) ? 'tool' : DETECT_SCHEMA.test(text) ? 'schema' : null;
  if (isTool(value)) return 'tool';
  return value && typeof value === 'object' && !Array.isArray(value) && (DETECT_SCHEMA.test(text) || !Object.keys(value).length) ? 'schema' : null;
}

function isPydantic(text) {
  return DETECT_IMPORT.test(text) || (DETECT_CLASS.test(text) && (DETECT_PYDANTIC.test(text) || DETECT_FIELD.test(text)));
}

// Short lines of plain words; of Python and of what has a syntax none are.
function isList(lines) {
  return lines.length > 1 && lines.length <= DETECT_LINES && lines.every((line) => line.trim() && line.trim().length <= 80 && /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ,.'’&/()#+_-]*$/u.test(line.trim()));
}

/** The kind that `text` seems to be: a name of KINDS, or null where it could be anything. `sure`: only what is hardly anything else. */
export function detected(text, sure = false) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  if (/^(?:\{|\[\s*[{"'])/.test(trimmed)) {
    const kind = ofJson(trimmed);
    if (kind || parsed(trimmed) !== undefined) return kind;
  }
  if (isPydantic(trimmed)) return 'pydantic';
  if (DETECT_RULES.test(trimmed) || DETECT_LARK.test(trimmed)) return 'grammar';
  if (DETECT_PYTHON.test(trimmed)) return null;
  const lines = trimmed.split('\n');
  if (lines.length > 1) return isList(lines) ? 'choices' : null;
  return DETECT_REGEX.test(trimmed) || (!sure && DETECT_MAYBE.test(trimmed)) ? 'regex' : null;
}

/** The kind to offer for `text` while `kind` is chosen; null when that fits or nothing is known. */
export function offered(text, kind) {
  // Any line may be a choice, and a rule of a grammar that has just been begun holds what a regex does.
  const seems = detected(text, kind === 'choices');
  if (seems === null || seems === kind) return null;
  return kind === 'grammar' && seems === 'regex' && /^[?!]?[\w-]+\s*:/.test(text.trim()) ? null : seems;
}
