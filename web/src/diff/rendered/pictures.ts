/** Pictures as addresses, and how large they are before anything draws them; pure. */

/** More pixels would take a browser's memory: a small file can hold that many. */
export const MOST_PIXELS = 50_000_000;

/** A longer text is not drawn. */
export const MOST_VECTOR_CHARACTERS = 500_000;

/** The width and height of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Return the size that a PNG, GIF, JPEG or WebP says that it has; null where it says none. */
export function sizeOf(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) {
      return { width: view.getUint32(16), height: view.getUint32(20) };
    }
    if (view.getUint32(0) === 0x47494638) {
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    }
    if (view.getUint16(0) === 0xffd8) {
      return sizeOfJpeg(view);
    }
    return view.getUint32(0) === 0x52494646 ? sizeOfWebp(view) : null;
  } catch {
    return null; // it ends before it says so
  }
}

function sizeOfJpeg(view: DataView): Size | null {
  for (let at = 2; ; ) {
    const marker = view.getUint16(at);
    const isFrame =
      marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (marker < 0xff01 || marker === 0xffda) {
      return null;
    }
    at += 2 + view.getUint16(at + 2);
  }
}

function sizeOfWebp(view: DataView): Size | null {
  const of24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X
      return { width: of24(24) + 1, height: of24(27) + 1 };
    case 0x5650384c: {
      const bits = view.getUint32(21, true); // VP8L
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503820: // VP8
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

/** Tell whether a picture can be drawn. */
export function canBeDrawn(size: Size | null): boolean {
  return size !== null && size.width > 0 && size.width * size.height <= MOST_PIXELS;
}

/** Return the bytes of a text in base64; none where it is not, as a notebook may have anything. */
export function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** Return the address of an SVG's text: as the source of an `img` nothing in it runs, or is loaded. */
export function vectorAddress(text: string): string | null {
  if (text.length > MOST_VECTOR_CHARACTERS) {
    return null;
  }
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:image/svg+xml;base64,${btoa(binary)}`;
}
