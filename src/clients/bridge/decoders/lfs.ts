import { msOf } from '../../results/times.ts';
import { decoded, PacketView, refused, type Decoded } from './packet.ts';

/** The version of the game, the first answer. */
export interface LfsVersion {
  readonly kind: 'version';
  readonly insimVersion: number;
}

/** A keep-alive, which is answered with the same bytes. */
export interface LfsKeepAlive {
  readonly kind: 'keep-alive';
}

/** A person who is connected. */
export interface LfsConnection {
  readonly kind: 'connection';
  readonly connection: number;
  readonly user: string;
  readonly nickname: string;
}

/** A connection that has ended. */
export interface LfsConnectionLeft {
  readonly kind: 'connection-left';
  readonly connection: number;
}

/** A player on the track; sent again when the player leaves the pits. */
export interface LfsPlayer {
  readonly kind: 'player';
  readonly player: number;
  readonly connection: number;
  readonly isAi: boolean;
  readonly nickname: string;
  readonly car: string;
}

/** A player who has left the race. */
export interface LfsPlayerLeft {
  readonly kind: 'player-left';
  readonly player: number;
}

/** A car that another connection drives from now on. */
export interface LfsTakeover {
  readonly kind: 'takeover';
  readonly player: number;
  readonly connection: number;
}

/** A race or a qualifying that starts, or the one that runs, if it was asked for. */
export interface LfsRaceStart {
  readonly kind: 'race-start';
  readonly isAnswer: boolean;
  readonly raceLaps: number;
  readonly qualifyingMinutes: number;
  /** Splits of a lap; null where it has none of its own. */
  readonly splits: number | null;
  readonly track: string;
}

/** The state of the game. */
export interface LfsState {
  readonly kind: 'state';
  /** 0 none, 1 race, 2 qualifying. */
  readonly raceInProgress: number;
  readonly raceLaps: number;
  readonly qualifyingMinutes: number;
  readonly track: string;
}

/** A lap that was completed. */
export interface LfsLap {
  readonly kind: 'lap';
  readonly player: number;
  readonly ms: number | null;
  readonly lapsDone: number;
}

/** The time since the start of the lap at a split. */
export interface LfsSplit {
  readonly kind: 'split';
  readonly player: number;
  readonly ms: number | null;
  /** From 1. */
  readonly split: number;
}

/** A packet that has nothing about laps. */
export interface LfsOther {
  readonly kind: 'other';
}

/** A packet of InSim. */
export type LfsPacket =
  | LfsVersion
  | LfsKeepAlive
  | LfsConnection
  | LfsConnectionLeft
  | LfsPlayer
  | LfsPlayerLeft
  | LfsTakeover
  | LfsRaceStart
  | LfsState
  | LfsLap
  | LfsSplit
  | LfsOther;

const ISI = 1;
const VER = 2;
const TINY = 3;
const STA = 5;
const RST = 17;
const NCN = 18;
const CNL = 19;
const NPL = 21;
const PLL = 23;
const LAP = 24;
const SPX = 25;
const TOC = 31;

/** Sizes of the packets that are read, in bytes. */
const SIZES: Readonly<Record<number, number>> = {
  [VER]: 20,
  [TINY]: 4,
  [STA]: 28,
  [RST]: 28,
  [NCN]: 56,
  [CNL]: 8,
  [NPL]: 76,
  [PLL]: 4,
  [LAP]: 20,
  [SPX]: 16,
  [TOC]: 8,
};

/** What LFS writes where there is no time, in ms. */
const NO_TIME = 3_600_000;

/** Version of InSim that is asked for. */
const INSIM_VERSION = 9;
const REQUEST_ID = 1;

/** Opens InSim: the game answers with its version. */
export function encodeLfsOpening(): Uint8Array {
  const packet = new DataView(new ArrayBuffer(44));
  packet.setUint8(0, packet.byteLength / 4);
  packet.setUint8(1, ISI);
  packet.setUint8(2, REQUEST_ID);
  packet.setUint8(8, INSIM_VERSION);
  const name = new TextEncoder().encode('Timing bridge');
  const bytes = new Uint8Array(packet.buffer);
  bytes.set(name, 28);
  return bytes;
}

/** Requests: a keep-alive, and what runs at the moment. */
const SUBTYPES = { 'keep-alive': 0, state: 7, connections: 13, players: 14, 'race-start': 19 } as const;

/** Asks the game about something, or keeps the connection alive. */
export function encodeLfsRequest(what: keyof typeof SUBTYPES): Uint8Array {
  const requestId = what === 'keep-alive' ? 0 : REQUEST_ID;
  return Uint8Array.of(1, TINY, requestId, SUBTYPES[what]);
}

/** Joins the segments of a TCP connection to packets. */
export class LfsFrames {
  #rest = new Uint8Array(0);
  /** The size byte counts units of 4 bytes; of 1 before version 9 of InSim. Null until the first packet. */
  #unit: number | null = null;

  /** The packets that a segment completes; null: the stream is broken, and the connection has to be opened again. */
  push(segment: Uint8Array): readonly Uint8Array[] | null {
    const bytes = new Uint8Array(this.#rest.length + segment.length);
    bytes.set(this.#rest);
    bytes.set(segment, this.#rest.length);
    const packets: Uint8Array[] = [];
    let at = 0;
    while (at + 1 < bytes.length) {
      const sizeByte = bytes[at] ?? 0;
      if (this.#unit === null) {
        const isOld = bytes[at + 1] === VER && sizeByte === SIZES[VER];
        this.#unit = isOld ? 1 : 4;
      }
      const size = sizeByte * this.#unit;
      if (size < 4) return null;
      if (at + size > bytes.length) break;
      packets.push(bytes.subarray(at, at + size));
      at += size;
    }
    this.#rest = bytes.slice(at);
    return packets;
  }
}

/** Decodes a packet of InSim. The type and the size have to fit together. */
export function decodeLfs(bytes: Uint8Array): Decoded<LfsPacket> {
  const view = new PacketView(bytes);
  if (view.length < 4) return refused(`it has ${view.length} bytes, fewer than any packet`);
  const type = view.u8(1);
  const size = SIZES[type];
  if (size === undefined) return decoded({ kind: 'other' });
  if (size !== view.length) return refused(`packet ${type} has ${size} bytes, this one ${view.length}`);
  switch (type) {
    case VER:
      return decoded({ kind: 'version', insimVersion: view.u8(18) });
    case TINY:
      return decoded({ kind: view.u8(3) === 0 ? 'keep-alive' : 'other' });
    case STA:
      return decoded({
        kind: 'state',
        raceInProgress: view.u8(15),
        qualifyingMinutes: view.u8(16),
        raceLaps: view.u8(17),
        track: view.utf8(20, 6),
      });
    case RST:
      return decoded({
        kind: 'race-start',
        isAnswer: view.u8(2) !== 0,
        raceLaps: view.u8(4),
        qualifyingMinutes: view.u8(5),
        splits: splitsOf(view.u8(7)),
        track: view.utf8(8, 6),
      });
    case NCN:
      return decoded({
        kind: 'connection',
        connection: view.u8(3),
        user: lfsText(view.field(4, 24)),
        nickname: lfsText(view.field(28, 24)),
      });
    case CNL:
      return decoded({ kind: 'connection-left', connection: view.u8(3) });
    case NPL:
      return decoded({
        kind: 'player',
        player: view.u8(3),
        connection: view.u8(4),
        isAi: (view.u8(5) & 2) !== 0,
        nickname: lfsText(view.field(8, 24)),
        car: carOf(view.field(40, 4)),
      });
    case PLL:
      return decoded({ kind: 'player-left', player: view.u8(3) });
    case LAP:
      return decoded({ kind: 'lap', player: view.u8(3), ms: timeOf(view.u32(4)), lapsDone: view.u16(12) });
    case SPX:
      return decoded({ kind: 'split', player: view.u8(3), ms: timeOf(view.u32(4)), split: view.u8(12) });
    case TOC:
      return decoded({ kind: 'takeover', player: view.u8(3), connection: view.u8(5) });
    default:
      return decoded({ kind: 'other' });
  }
}

function timeOf(ms: number): number | null {
  return ms === NO_TIME ? null : msOf(ms);
}

/** Bits of the timing of a race: 0x40 the splits of the layout, 0x80 those of a custom one, 0xC0 no timing. */
function splitsOf(timing: number): number | null {
  const kind = timing & 0xc0;
  return kind === 0x40 || kind === 0x80 ? timing & 3 : null;
}

/** Letters that stand for characters which LFS cannot have in names. */
const ESCAPED: Readonly<Record<string, string>> = {
  '^': '^',
  v: '|',
  a: '*',
  c: ':',
  d: '\\',
  s: '/',
  q: '?',
  t: '"',
  l: '<',
  r: '>',
  h: '#',
};

/** Code pages by the letter that switches to them. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  L: 'windows-1252',
  G: 'windows-1253',
  C: 'windows-1251',
  E: 'windows-1250',
  T: 'windows-1254',
  B: 'windows-1257',
  J: 'shift_jis',
  S: 'gbk',
  K: 'euc-kr',
  H: 'big5',
};

const CARET = 0x5e;

/** A text of LFS, without colours: `^0` to `^9` are colours, other letters after `^` switch the code page or escape. */
export function lfsText(field: Uint8Array): string {
  const nul = field.indexOf(0);
  const bytes = nul === -1 ? field : field.subarray(0, nul);
  let text = '';
  let codePage = 'windows-1252';
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== CARET) {
      const next = bytes.indexOf(CARET, at);
      const end = next === -1 ? bytes.length : next;
      text += new TextDecoder(codePage).decode(bytes.subarray(at, end));
      at = end;
      continue;
    }
    const letter = String.fromCharCode(bytes[at + 1] ?? 0);
    if (letter === '8') codePage = 'windows-1252';
    codePage = CODE_PAGES[letter] ?? codePage;
    text += ESCAPED[letter] ?? '';
    at += 2;
  }
  return text;
}

/** The name of a car: three letters, or the id of a mod, three bytes as hexadecimal digits. */
function carOf(field: Uint8Array): string {
  const letters = [...field.subarray(0, 3)];
  const isName = letters.every((byte) => /[0-9A-Za-z]/.test(String.fromCharCode(byte)));
  if (isName) return String.fromCharCode(...letters);
  const id = letters.reverse().map((byte) => byte.toString(16).padStart(2, '0'));
  return id.join('').toUpperCase();
}
