// What a pasted text is taken for, in the editor of every kind: each pair of kinds that can be told apart is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detected, offered } from '../../static/schema/detect.js';
import { KIND_WORDS } from '../../static/schema/state.js';

const TEXTS = {
  schema: ['{"type": "object", "properties": {}}', '{"type": "obj', '{}', '{"minimum": 3}', "{'type': 'object'}", '{\n  // the answer\n  "enum": ["a"]\n}', '{"type": "object", "propertis": {"a": }'],
  tool: ['{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}', '{"name": "f", "inputSchema": {"type": "object"}}', '[{"name": "f", "input_schema": {}}]',
    '{"tools": [{"name": "f", "parameters": {}}]}', '{"type": "function", "function": {"name": "f", "param'],
  pydantic: ['from pydantic import BaseModel\n\nclass A(BaseModel):\n    x: int', 'class A(BaseModel):\n    x: int', 'from typing import Literal\n\n\nclass P(Base):\n    r: Literal["a"]\n'],
  grammar: ['root ::= "a" | "b"', 'root  ::= "{" ws "}"\nws ::= [ ]*', '<a> ::= "b"', 'start: "a"+', '?start: sum\nsum: NUMBER\n%import common.NUMBER', 'NUMBER: /[0-9]+/\nstart: NUMBER', 'expr ::= term (("+" | "-") term)*'],
  regex: ['\\d{3}-\\d{2}', '(yes|no)', '[a-z]+', '[0-9]{3}', '^abc$', '.*', '\\w+@\\w+\\.com', '(?:ab)+', '[A-Z][a-z]*( [A-Z][a-z]*)*', '-?\\d+(\\.\\d+)?', '"(yes|no)"', '\\{"a": \\d+\\}', 'a{2,3}'],
  choices: ['yes\nno\nmaybe', 'New York\nPalo Alto, CA', 'C++\nC#\nRust', 'café\nthé'],
};

test('each kind pasted into the editor of each other is offered, and into its own nothing is', () => {
  const kinds = Object.keys(TEXTS);
  assert.deepEqual(kinds.toSorted(), Object.keys(KIND_WORDS).toSorted());
  for (const [kind, texts] of Object.entries(TEXTS)) {
    for (const text of texts) {
      assert.equal(detected(text), kind, text);
      for (const editor of kinds) assert.equal(offered(text, editor), editor === kind ? null : kind, `${text} in ${editor}`);
    }
  }
});

test('what could be anything is taken for nothing', () => {
  for (const text of ['', '   ', 'hello', 'hello world', '{"a": 1}', '["a", "b"]', 'x = 1', '5', 'true', 'Is it so?', 'a, b', '3.5', '$5', '10%', 'def f():', 'from typing import Literal\nimport re', 'x: int = Field(ge=0)', 'key: value\nother: thing']) {
    assert.equal(detected(text), null, text);
  }
});

test('what is half written is left alone', () => {
  assert.equal(offered('sum: product (("+" | "-") product)*', 'grammar'), null, 'a rule of a grammar without a start');
  for (const text of ['yes|no', 'a+', '[abc]', 'C++']) assert.equal(offered(text, 'choices'), null, 'one choice, whatever it says');
  assert.equal(offered('yes|no', 'schema'), 'regex');
  assert.equal(offered('{"type": "string"}', 'type'), 'schema');
});

test('no text keeps the page waiting', () => {
  for (const part of ['[', '(|', '(', '\n', '  \n', '{1', 'class A(\n', 'a: ', '{"type"', '\\', '\t', 'a|', '<', '"']) {
    const text = part.repeat(100_000 / part.length);
    const since = process.cpuUsage(); // not the clock, which goes on while others run
    for (const kind of Object.keys(TEXTS)) offered(text, kind);
    assert.ok(process.cpuUsage(since).user < 1_500_000, JSON.stringify(part));
  }
});
