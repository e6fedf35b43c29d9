// What the model was asked and what it may answer, in a line: a room does not see the page's own prompt.

import { h, setAttr, setShown, setText } from '../stage/dom.js';
import { sceneName } from './model.js';

const ASKED_KEYS = 8;

/** The keys of a JSON Schema's object, or its title, in a few words; its source where it has neither. */
function schemaWords(source) {
  try {
    const schema = JSON.parse(source);
    const keys = Object.keys(schema.properties || {});
    const named = typeof schema.title === 'string' ? schema.title : '';
    if (keys.length) return `${named || 'JSON'} with ${keys.slice(0, ASKED_KEYS).join(', ')}${keys.length > ASKED_KEYS ? ', …' : ''}`;
    if (named) return named;
  } catch { /* no JSON: said as it stands */ }
  return source;
}

/** What a constraint allows, in a few words; '' of one that is off. */
export function mayAnswer({ kind, source }) {
  const text = String(source || '').trim();
  if (kind === 'free' || !text) return '';
  if (kind === 'choices') return text.split('\n').map((each) => each.trim()).filter(Boolean).join(' | ');
  if (kind === 'schema') return schemaWords(text);
  return text.replace(/\s*\n\s*/g, ' ');
}

/** A scene's prompt and constraint: {prompt, may}, '' for what it has not. */
export function askedOf(scene) {
  const { prompt = '', constraint = {} } = (scene && scene.problem) || {};
  return { prompt: String(prompt).trim(), may: mayAnswer(constraint) };
}

/** Whether a beat stands on another scene than the one before it, or is the first. */
export function isNewScene(lesson, beat) {
  return beat === 0 || sceneName(lesson, beat) !== sceneName(lesson, beat - 1);
}

/** The line, {node, show(form, beat, asking)}; pressed, it shows all of what it says. */
export function mountAsked() {
  const prompt = h('span', { class: 'lesson-asked-words' });
  const may = h('span', { class: 'lesson-asked-words' });
  const node = h('button', { type: 'button', class: 'lesson-asked', 'aria-expanded': 'false', title: 'Show all of it, or two lines', onclick: () => setAttr(node, 'aria-expanded', String(node.getAttribute('aria-expanded') !== 'true')) }, prompt, ' ', may);
  let drawn = null;
  return {
    node,
    show(form, beat, asking) {
      const told = beat < form.lesson.beats.length ? askedOf(form.lesson.scenes[sceneName(form.lesson, beat)]) : { prompt: '', may: '' };
      setShown(node, Boolean(told.prompt || told.may));
      setShown(prompt, Boolean(told.prompt));
      setShown(may, Boolean(told.may));
      setText(prompt, `Asked: ${told.prompt}`);
      setText(may, `May answer: ${told.may}`);
      // Where room is scarce it is said when it is news.
      setAttr(node, 'data-news', asking || isNewScene(form.lesson, Math.min(beat, form.lesson.beats.length - 1)));
      const key = told.prompt + told.may;
      if (drawn !== key) setAttr(node, 'aria-expanded', 'false');
      drawn = key;
    },
  };
}
