// Reads NFC tags with text, where the browser can (Chrome on Android).

type Reading = Event & {
  message: { records: readonly { recordType: string; encoding?: string; data?: DataView }[] };
};
type Reader = EventTarget & { scan(options: { signal: AbortSignal }): Promise<void> };
declare global {
  interface Window {
    NDEFReader?: new () => Reader;
  }
}

export const canReadTags = () => 'NDEFReader' in window;

const isReading = (event: Event): event is Reading => 'message' in event;

/** Reads until aborted. @throws when the guard refuses, or NFC is off */
export async function readTags(signal: AbortSignal, onText: (text: string) => void): Promise<void> {
  if (!window.NDEFReader) return;
  const reader = new window.NDEFReader();
  reader.addEventListener('reading', (event) => {
    if (!isReading(event)) return;
    const record = event.message.records.find(({ recordType }) => recordType === 'text');
    if (record?.data) onText(new TextDecoder(record.encoding).decode(record.data));
  });
  await reader.scan({ signal });
}
