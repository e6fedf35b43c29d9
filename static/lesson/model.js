// A lesson as the page holds it: which scene a beat shows, how it is known, and what the numbers say in words. No page here.

import { bits, prob } from '../stage/format.js';
import { maskFormula } from '../stage/inspector.js';
import { figure, interval } from './numbers.js';

/** Words of a beat's text that can be read from the last row. */
export const MOST_WORDS = 25;
/** Longest file of a lesson that is read, characters. */
export const MOST_FILE = 1_500_000;
/** Views by name, with their titles. */
export const VIEWS = { step: 'Step', compare: 'Compare', squeezing: 'Squeezing', schema: 'Schema', levels: 'Levels', study: 'Study', decisions: 'Decisions' };
const MODEL_RELATIONS = { '<': 'below', '>': 'above', is: 'is', near: 'near' };

/** The name of the scene that beat number `beat` shows: its own, or that of the beats before it. */
export function sceneName(lesson, beat) {
  const named = lesson.beats.slice(0, beat + 1).map((each) => each.scene).filter(Boolean);
  return named.length ? named[named.length - 1] : Object.keys(lesson.scenes)[0];
}

/** The scene and what was recorded of it: {name, scene, page, squeezing, compare, judged, exact}; null for what wasn't. */
export function sceneOf(form, beat) {
  const name = sceneName(form.lesson, beat);
  const recorded = (form.recording && form.recording.scenes[name]) || {};
  const { page = null, squeezing = null, compare = null, judged = null, exact = null } = recorded;
  return { name, scene: form.lesson.scenes[name], page, squeezing, compare, judged, exact };
}

/** The place on the stage of a beat's step: the last token where it names none. */
export function cursorOf(page, step) {
  const last = Math.max(0, page.steps.length - 1);
  return step === null || step === undefined ? last : Math.min(step, page.steps.length);
}

/** A document as a recording: only a toy's stays what it is, since it is as exact as it was. */
export function asRecorded(document) {
  if (!document || !document.provenance || document.provenance.kind === 'toy') return document;
  return { ...document, provenance: { ...document.provenance, kind: 'recorded' } };
}

/** The form with each recorded document as one. */
export function recordedForm(form) {
  if (!form.recording) return form;
  const scenes = Object.fromEntries(Object.entries(form.recording.scenes).map(([name, { page, squeezing, compare, ...rest }]) =>
    [name, { ...rest, page: asRecorded(page), squeezing: asRecorded(squeezing), compare: asRecorded(compare) }]));
  return { ...form, recording: { ...form.recording, scenes } };
}

/** Whether `form` has what the player reads of a lesson; null, or an error as a card. */
export function formError(form) {
  if (form && form.error) return form.error;
  const { lesson } = form || {};
  const whole = lesson && Array.isArray(lesson.beats) && lesson.beats.length && lesson.scenes && Object.keys(lesson.scenes).length && typeof lesson.slug === 'string';
  return whole ? null : { what: 'This is no lesson: it has no beats.', where: 'lesson', hint: 'Open a file that “Save” has made here, or choose another lesson.', line: null, column: null };
}

/** Where a beat's numbers come from: {kind: toy | recorded | live, words, title}; the title names the revision. `page` is what is on the stage. */
export function badgeOf(page) {
  if (!page || !page.provenance) return null;
  const { kind, model, revision } = page.provenance;
  if (kind === 'toy') return { kind, words: 'toy', title: '' };
  return { kind, words: model ? `${kind} · ${model}` : kind, title: revision ? `revision ${revision}` : '' };
}

/** Words of a text. */
export function wordCount(text) {
  const trimmed = String(text).trim();
  return trimmed ? trimmed.split(/\s+/).length : 0;
}

/** The formula of masking with the numbers of the token taken at `step`: {token, words, bits}; null where there is none. */
export function formulaOf(step, sampling) {
  if (!step || !step.taken || step.given) return null;
  // "= > 99.9 %" would say twice how the two sides compare.
  return { token: step.taken, words: maskFormula(step.taken, step, sampling).replace(/= (> [\d.]+ %)$/, '$1'), bits: step.bits === null ? '' : bits(step.bits) };
}

/** What became of a prediction, in words. */
export function verdictOf({ options, answer }, picked) {
  const [said, told] = [options[picked], options[answer]];
  const stop = /[.!?…]$/.test(told) ? '' : '.';
  return picked === answer ? { right: true, words: `Right: ${told}${stop}` } : { right: false, words: `Not quite: you said ${said}, it is ${told}${stop}` };
}

/** How many of the lesson's predictions were right, in words; '' before the first. `answers`: option by beat. */
export function scoreWords(lesson, answers) {
  const asked = lesson.beats.filter((beat) => beat.predict).length;
  const given = Object.entries(answers).filter(([beat]) => lesson.beats[beat] && lesson.beats[beat].predict);
  if (!asked || !given.length) return '';
  const right = given.filter(([beat, option]) => lesson.beats[beat].predict.answer === option).length;
  return `You predicted ${right} of ${given.length} right${given.length < asked ? `; ${asked - given.length} not tried` : ''}.`;
}

/** One check of a claim as a line: what was looked at, what it had to be, and what was found. */
export function checkWords(check) {
  const about = [check.fact, check.of ? `of “${check.of}”` : '', check.step === null || check.step === undefined ? '' : `at step ${check.step + 1}`, check.scene ? `in ${check.scene}` : ''].filter(Boolean).join(' ');
  const value = typeof check.value === 'number' ? figure(check.value) : String(check.value);
  const wanted = `${MODEL_RELATIONS[check.relation] || check.relation} ${value}${check.relation === 'near' ? ` ± ${figure(check.within)}` : ''}`;
  return { about, wanted, found: check.why || foundWords(check.found) };
}

/** What was found, in words: a number between two bounds, or a text. */
export function foundWords(found) {
  if (found === null || found === undefined) return '–';
  return typeof found === 'object' ? interval(found) : String(found);
}

/** How a number of the recording is known, for the badge of a lesson in the menu. */
export function kindWords(kind) {
  return { toy: 'A hand-written model: every number is exact, and no model is loaded.', recorded: 'Plays from a recording of a real model: no model is loaded.' }[kind] || '';
}

/** A count of votes as bars: [{option, count, share, right, words}]; `answer`: the right option. */
export function voteBars(options, { counts = [], voters = 0 }, answer) {
  return options.map((option, at) => {
    const n = counts[at] || 0;
    const share = voters ? n / voters : 0;
    const right = at === answer;
    return { option, count: n, share, right, words: `${n} of ${voters}${voters ? `, ${prob(share).text}` : ''}${right ? ' ✓ right' : ''}` };
  });
}
