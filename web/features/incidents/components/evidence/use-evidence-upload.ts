// Sends chosen files to an incident, one after the other. One that fails stays, to be tried again.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../../lib/data/keys.ts';
import type { Attachment } from '../../report/attachments/attachment.ts';
import { problemOf } from '../../report/attachments/file-rules.ts';
import { prepareAttachment } from '../../report/attachments/prepare-attachment.ts';
import { sendEvidence } from '../../report/send-evidence.ts';

export type Sending = {
  id: string;
  file: File;
  /** Of it that is sent, 0 to 1. */
  share: number;
  /** Why it was not sent. */
  problem: string | undefined;
};

export function useEvidenceUpload(incidentId: string) {
  const queryClient = useQueryClient();
  const [items, setItems] = useState<Sending[]>([]);
  /** Files that can't be evidence, and why. */
  const [refused, setRefused] = useState<string[]>([]);
  const work = useRef(Promise.resolve());
  // What was made ready keeps its id, so that a repeat stores nothing twice.
  const prepared = useRef(new Map<string, Attachment>());

  const change = (id: string, changed: Partial<Sending>) =>
    setItems((now) => now.map((item) => (item.id === id ? { ...item, ...changed } : item)));
  const drop = (id: string) => setItems((now) => now.filter((item) => item.id !== id));

  async function send({ id, file }: Sending) {
    try {
      const ready = prepared.current.get(id) ?? (await prepareAttachment(file));
      prepared.current.set(id, ready);
      const piece = { ...ready, attachmentId: ready.id };
      await sendEvidence(supabase(), incidentId, piece, ready.content, (share) =>
        change(id, { share }),
      );
      await queryClient.invalidateQueries({ queryKey: incidentsKey });
      drop(id);
    } catch (error) {
      change(id, { problem: messageOf(error) });
    }
  }
  function queue(item: Sending) {
    work.current = work.current.then(() => send(item));
  }
  return {
    items,
    refused,
    add(files: File[]) {
      setRefused(files.flatMap((file) => problemOf(file) ?? []));
      const chosen = files
        .filter((file) => problemOf(file) === undefined)
        .map((file) => ({ id: crypto.randomUUID(), file, share: 0, problem: undefined }));
      setItems((now) => [...now, ...chosen]);
      for (const item of chosen) queue(item);
    },
    retry(item: Sending) {
      change(item.id, { problem: undefined, share: 0 });
      queue(item);
    },
    drop,
  };
}
