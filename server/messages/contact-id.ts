// Contact ID (SIA DC-05): "1234 18 1130 01 015" is account, message type, qualifier and event, partition, zone or user.
import type {
  PANEL_EVENTS_SIGNAL,
  SERVICE_CALLS_KIND,
  SERVICE_CALLS_PRIORITY,
} from '#shared/database.values.ts';

type CallKind = (typeof SERVICE_CALLS_KIND)[number];
type CallPriority = (typeof SERVICE_CALLS_PRIORITY)[number];

export interface PanelSignal {
  signal: (typeof PANEL_EVENTS_SIGNAL)[number];
  /** Undefined for what is no alarm: troubles, openings, tests. */
  kind: CallKind | undefined;
  priority: CallPriority;
  /** In words, for the call and its timeline. */
  body: string;
}

const FORM = /^([0-9A-F]{3,16}) (?:18|98) ([136])(\d{3}) ([0-9A-F]{2}) ([0-9A-F]{3})$/i;

interface EventRange {
  to: number;
  words: string;
  kind?: CallKind;
  priority?: CallPriority;
}

/** By the last code of each range. */
const RANGES: readonly EventRange[] = [
  { to: 99, words: 'Signal' },
  { to: 109, words: 'Medical', kind: 'medical', priority: 'danger' },
  { to: 119, words: 'Fire', kind: 'fire', priority: 'danger' },
  { to: 129, words: 'Panic', kind: 'alarm', priority: 'danger' },
  { to: 139, words: 'Burglary', kind: 'intruder', priority: 'urgent' },
  { to: 149, words: 'Alarm', kind: 'alarm', priority: 'urgent' },
  { to: 199, words: '24 hour zone', kind: 'other', priority: 'urgent' },
  { to: 299, words: 'Fire system supervision' },
  { to: 399, words: 'Trouble' },
  { to: 499, words: 'By a user' },
  { to: 599, words: 'Bypass' },
  { to: 699, words: 'Test' },
  { to: 999, words: 'Signal' },
];

/** Codes that say more than their range. */
const WORDS: Readonly<Record<number, string>> = {
  101: 'Personal emergency',
  111: 'Smoke',
  113: 'Water flow',
  115: 'Fire pull station',
  121: 'Duress',
  122: 'Silent panic',
  137: 'Tampering',
  144: 'Sensor tampering',
  151: 'Gas',
  154: 'Water leak',
  162: 'Carbon monoxide',
  301: 'Mains power lost',
  302: 'Low battery',
  383: 'Sensor tampering',
  602: 'Periodic test',
};

const words = (code: number, qualifier: string, range: EventRange): string => {
  const what = WORDS[code] ?? range.words;
  if (code >= 400 && code < 500) return qualifier === '3' ? 'Closed by a user' : 'Opened by a user';
  if (qualifier === '3') return `Restored: ${what}`;
  return qualifier === '6' ? `Still present: ${what}` : what;
};

/** @returns undefined for a text of another form */
export function readContactId(sent: string): (PanelSignal & { account: string }) | undefined {
  const [, account, qualifier, event, partition, zone] = FORM.exec(sent.trim()) ?? [];
  if (account === undefined || qualifier === undefined) return undefined;
  const code = Number(event);
  const range = RANGES.find(({ to }) => code <= to) ?? { to: 999, words: 'Signal' };
  // A status report of what was told before makes no second call.
  const isAlarm = qualifier === '1' && range.kind !== undefined;
  return {
    account: account.toUpperCase(),
    signal: isAlarm ? 'alarm' : qualifier === '3' ? 'restore' : 'note',
    kind: range.kind,
    priority: range.priority ?? 'routine',
    body: `${words(code, qualifier, range)} (${event}), partition ${partition}, zone ${zone}`,
  };
}
