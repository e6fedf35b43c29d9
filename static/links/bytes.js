// Bytes in the letters of an address, packed and unpacked: bounded, since a short text can be made to unpack to gigabytes.

/** What `inflated` throws where there is more than it may read. */
export class TooMuch extends RangeError {}

async function piped(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) { await reader.cancel(); throw new TooMuch('too long'); }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}

/** Bytes packed, without a header. */
export function deflated(bytes) {
  return piped(bytes, new CompressionStream('deflate-raw'), Infinity);
}

/** What `deflated` packed. Throws TooMuch beyond `most` bytes, and an error for anything else than one whole packing. */
export function inflated(bytes, most) {
  return piped(bytes, new DecompressionStream('deflate-raw'), most);
}

/** Bytes in the letters of base64. */
export function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** Bytes in letters that an address takes as they are. */
export function base64url(bytes) {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes of such letters; throws where they are none. */
export function bytesOf(text) {
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}
