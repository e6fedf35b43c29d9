// What the Python tests ask of the browser's packing: one JSON array of requests in, one of answers out. {pack: state} or {unpack: text},
// or {state: {problem, edited, examples}} and {open: {state, examples}}.
import { stageOf } from '../../static/links/lanes.js';
import { pack, unpack } from '../../static/links/pack.js';
import { problemOf, problemPart } from '../../static/links/problem.js';

let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
const answers = [];
for (const asked of JSON.parse(text)) {
  if ('pack' in asked) answers.push(await pack(asked.pack));
  else if ('unpack' in asked) answers.push(await unpack(asked.unpack));
  else if ('state' in asked) answers.push(problemPart(asked.state.problem, asked.state.edited, asked.state.examples));
  else answers.push({ ...problemOf(asked.open.state, asked.open.examples), run: stageOf(asked.open.state) });
}
process.stdout.write(JSON.stringify(answers));
