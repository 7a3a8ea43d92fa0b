import { useRef, useState } from 'react';
import { z } from 'zod';
import { deleteDraftFile, saveDraftFile } from '#web/lib/drafts/draft-store.ts';
import type { OpenDraft } from '#web/lib/drafts/use-draft.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { fromStored, type StoredBlob, toStored } from '#web/lib/indexed-db/stored-blob.ts';
import { type Attachment, attachmentSchema, prepareAttachment } from '../attachment.ts';
import { findProblem, isRecording, MAX_FILES } from '../evidence-rules.ts';

/** A position of this age is still accurate enough. */
const MAX_POSITION_AGE_MS = 60_000;
const POSITION_TIMEOUT_MS = 15_000;

/** @returns 'lat,lng' in degrees; null if the position is unavailable or not allowed */
function getDevicePosition(): Promise<string | null> {
  if (!('geolocation' in navigator)) return Promise.resolve(null);
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(`${coords.latitude.toFixed(6)},${coords.longitude.toFixed(6)}`),
      // A report doesn't need a position.
      () => resolve(null),
      { enableHighAccuracy: true, maximumAge: MAX_POSITION_AGE_MS, timeout: POSITION_TIMEOUT_MS },
    );
  });
}

const bytesSchema = z.object({ bytes: z.instanceof(ArrayBuffer), type: z.string() });
const draftFileSchema = attachmentSchema.extend({
  content: z.union([z.instanceof(Blob), bytesSchema]).transform(fromStored),
});

const parseDraftFiles = (files: unknown[]) =>
  files.flatMap((file) => draftFileSchema.safeParse(file).data ?? []);

export type Attachments = ReturnType<typeof useAttachments>;

export function useAttachments({ key, files, isVolatile }: OpenDraft) {
  const [items, setItems] = useState(() => parseDraftFiles(files));
  const [preparing, setPreparing] = useState(0);
  const [problems, setProblems] = useState<string[]>([]);
  // For asynchronous work that began before the last render.
  const latest = useRef(items);
  /** One file at a time: a phone has too little memory for ten photos at once. */
  const queueTail = useRef(Promise.resolve());

  function replaceAll(next: Attachment[]) {
    latest.current = next;
    setItems(next);
  }
  function saveToDraft(attachment: Attachment, content: StoredBlob) {
    if (isVolatile) return;
    saveDraftFile(key, attachment.id, { ...attachment, content }).catch((error: unknown) => {
      // It is still sent with the report while the form stays open.
      console.warn('A file could not be saved with the draft:', error);
    });
  }
  async function locate(id: string) {
    const gps = await getDevicePosition();
    const found = latest.current.find((item) => item.id === id);
    if (!gps || !found) return;
    const content = await toStored(found.content);
    // It may have been removed meanwhile.
    const attachment = latest.current.find((item) => item.id === id);
    if (!attachment) return;
    const located = { ...attachment, gps, locatedBy: 'device' as const };
    replaceAll(latest.current.map((item) => (item.id === id ? located : item)));
    saveToDraft(located, content);
  }
  async function addOne(file: File) {
    try {
      const attachment = await prepareAttachment(file);
      const content = await toStored(attachment.content);
      replaceAll([...latest.current, attachment]);
      saveToDraft(attachment, content);
      if (!attachment.gps && isRecording(attachment.type)) void locate(attachment.id);
    } catch (error) {
      setProblems((before) => [...before, describeError(error)]);
    } finally {
      setPreparing((count) => count - 1);
    }
  }
  function add(chosen: File[]) {
    const free = MAX_FILES - latest.current.length - preparing;
    const allowed = chosen.filter((file) => findProblem(file) === undefined);
    const excess = allowed.length - Math.max(0, free);
    setProblems([
      ...chosen.flatMap((file) => findProblem(file) ?? []),
      ...(excess > 0
        ? [
            `A report takes at most ${MAX_FILES} files; ${excess} more ${excess === 1 ? 'was' : 'were'} left out.`,
          ]
        : []),
    ]);
    const added = allowed.slice(0, Math.max(0, free));
    setPreparing((count) => count + added.length);
    for (const file of added) queueTail.current = queueTail.current.then(() => addOne(file));
  }
  function remove(id: string) {
    replaceAll(latest.current.filter((item) => item.id !== id));
    setProblems([]);
    if (!isVolatile) void deleteDraftFile(key, id);
  }
  return {
    items,
    /** Number of files being shrunk. */
    preparing,
    problems,
    add,
    remove,
    /** Resolves with all attachments when none is being prepared. */
    whenReady: () => queueTail.current.then(() => latest.current),
  };
}
