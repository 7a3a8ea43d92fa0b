// The files of a report being written: added, made ready one after the other, kept with the draft, removed.
import { useRef, useState } from 'react';
import { dropFile, keepFile } from '#web/lib/drafts/draft-store.ts';
import type { OpenDraft } from '#web/lib/drafts/use-draft.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { type Attachment, attachmentSchema } from './attachment.ts';
import { devicePosition } from './device-position.ts';
import { isRecording, MOST_FILES, problemOf } from './file-rules.ts';
import { prepareAttachment } from './prepare-attachment.ts';

const fromDraft = (files: unknown[]) =>
  files.flatMap((file) => attachmentSchema.safeParse(file).data ?? []);

export type Attachments = ReturnType<typeof useAttachments>;

export function useAttachments({ key, files, isFleeting }: OpenDraft) {
  const [items, setItems] = useState(() => fromDraft(files));
  const [waiting, setWaiting] = useState(0);
  const [problems, setProblems] = useState<string[]>([]);
  // What is true now, for work that began before the last drawing.
  const latest = useRef(items);
  const work = useRef(Promise.resolve());

  function change(next: Attachment[]) {
    latest.current = next;
    setItems(next);
  }
  function keep(attachment: Attachment) {
    if (isFleeting) return;
    keepFile(key, attachment.id, attachment).catch((error: unknown) => {
      // It is sent all the same, as long as the form stays open.
      console.warn('A file could not be kept with the draft:', error);
    });
  }
  async function locate(id: string) {
    const gps = await devicePosition();
    const found = latest.current.find((item) => item.id === id);
    if (!gps || !found) return;
    const located = { ...found, gps, locatedBy: 'device' as const };
    change(latest.current.map((item) => (item.id === id ? located : item)));
    keep(located);
  }
  async function addOne(file: File) {
    try {
      const attachment = await prepareAttachment(file);
      change([...latest.current, attachment]);
      keep(attachment);
      if (!attachment.gps && isRecording(attachment.type)) void locate(attachment.id);
    } catch (error) {
      setProblems((before) => [...before, messageOf(error)]);
    } finally {
      setWaiting((count) => count - 1);
    }
  }
  function add(chosen: File[]) {
    const room = MOST_FILES - latest.current.length - waiting;
    const good = chosen.filter((file) => problemOf(file) === undefined);
    const left = good.length - Math.max(0, room);
    setProblems([
      ...chosen.flatMap((file) => problemOf(file) ?? []),
      ...(left > 0
        ? [
            `A report takes at most ${MOST_FILES} files; ${left} more ${left === 1 ? 'was' : 'were'} left out.`,
          ]
        : []),
    ]);
    const taken = good.slice(0, Math.max(0, room));
    setWaiting((count) => count + taken.length);
    // One after the other: a phone has no memory for ten photos at once.
    for (const file of taken) work.current = work.current.then(() => addOne(file));
  }
  function remove(id: string) {
    change(latest.current.filter((item) => item.id !== id));
    setProblems([]);
    if (!isFleeting) void dropFile(key, id);
  }
  return {
    items,
    /** How many are being made ready. */
    waiting,
    problems,
    add,
    remove,
    /** @returns all of them, once they are ready */
    ready: () => work.current.then(() => latest.current),
  };
}
