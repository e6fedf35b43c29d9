// What a pasted text seems to be, so that the page can offer the kind it is.

const DETECT_SCHEMA = /"(\$schema|properties|type|enum|anyOf|oneOf|allOf|items|\$ref|\$defs|definitions|const|required|pattern)"\s*:/;

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

function isTool(value) {
  if (!value || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length > 0 && value.every(isTool);
  if (value.type === 'function') return true;
  return typeof value.name === 'string' && ['parameters', 'input_schema', 'inputSchema'].some((key) => value[key] && typeof value[key] === 'object');
}

/** The kind that `text` seems to be: a name of KINDS, or null where it could be anything. */
export function detected(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  if (/^[{[]/.test(trimmed)) {
    const value = parsed(trimmed);
    if (value !== undefined) {
      if (isTool(value)) return 'tool';
      return value && typeof value === 'object' && !Array.isArray(value) && (DETECT_SCHEMA.test(trimmed) || !Object.keys(value).length) ? 'schema' : null;
    }
    if (/^\{?\s*"type"\s*:\s*"function"|"(input_schema|inputSchema)"\s*:/.test(trimmed)) return 'tool';
    if (DETECT_SCHEMA.test(trimmed)) return 'schema';
  }
  if (/^\s*class\s+\w+\s*(\([^)]*\))?\s*:/m.test(trimmed) && /BaseModel|pydantic|RootModel|TypedDict/.test(trimmed)) return 'pydantic';
  if (/^\s*(from|import)\s+pydantic/m.test(trimmed)) return 'pydantic';
  if (/^[\w-]+\s*::=/m.test(trimmed)) return 'grammar';
  if (/^[?!]?start\s*:/m.test(trimmed)) return 'grammar';
  const lines = trimmed.split('\n');
  const wordy = lines.every((line) => /^[\p{L}\p{N} ,.'_-]{1,80}$/u.test(line.trim()) && line.trim());
  if (lines.length > 1) return wordy ? 'choices' : null;
  if (/\\[dwsSDWbpx]|\[[^\]]+\][*+?{]|\)[*+?{]|\(\?[:i]|\{\d+(,\d*)?\}|^\^|\$$|\.[*+]|\([^()]*\|[^()]*\)/.test(trimmed)) return 'regex';
  return null;
}

/** The kind to offer for `text` while `kind` is chosen; null when that fits or nothing is known. */
export function offered(text, kind) {
  const seems = detected(text);
  if (seems === null || seems === kind) return null;
  // A regex and a list of choices may hold anything: only what is unmistakable is offered instead.
  if (['regex', 'choices'].includes(kind) && ['regex', 'choices'].includes(seems)) return null;
  return seems;
}
