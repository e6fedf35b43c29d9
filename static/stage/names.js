// Names for runs, so that what is told of one is never taken for another's.

/** A new name: 128 bits of chance in hexadecimal digits. */
export function runName() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
