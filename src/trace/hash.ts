const encoder = new TextEncoder();

/**
 * 53 bits of two interleaved multiplicative hashes, as 14 hexadecimal digits. Tells versions of a file and texts of
 * questions apart; it is no defence against somebody who wants a collision.
 */
export function hashBytes(bytes: Uint8Array): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 2654435761);
    b = Math.imul(b ^ byte, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  const low = (a >>> 0).toString(16).padStart(8, "0");
  const high = ((b >>> 0) & 0x1fffff).toString(16).padStart(6, "0");
  return high + low;
}

/** `hashBytes` of the UTF-8 form. */
export function hashText(text: string): string {
  return hashBytes(encoder.encode(text));
}
