// The lessons on the server: the menu, and each lesson's form, kept once they are here.

const API_FAILED = (what, reason) => ({ what, where: 'lessons', hint: `Check the connection and try again. (${reason})`, line: null, column: null });

/** Fetches over `get` (fetch): {index(), form(slug)}, promises of a document or of {error: card}. */
export function createApi(get = (address) => fetch(address)) {
  const kept = new Map();

  async function read(address, what) {
    if (kept.has(address)) return kept.get(address);
    let answer;
    try {
      const response = await get(address);
      answer = await response.json();
      if (!response.ok && !answer.error) answer = { error: API_FAILED(what, `status ${response.status}`) };
    } catch (reason) {
      return { error: API_FAILED(what, reason.message) };
    }
    if (!answer.error) kept.set(address, answer);
    return answer;
  }

  return {
    index: () => read('/lessons/index.json', 'The list of lessons could not be loaded.'),
    form: (slug) => read(`/lessons/${encodeURIComponent(slug)}.json`, 'The lesson could not be loaded.'),
  };
}

/** A call of the server's functions: its answer, or {error: card}. Never throws. */
export async function called(server, name, payload) {
  try {
    const answer = await server[name](payload);
    return answer && typeof answer === 'object' ? answer : { error: API_FAILED('The server gave an empty answer.', name) };
  } catch (reason) {
    return { error: API_FAILED('The server did not answer.', (reason && reason.message) || name) };
  }
}
