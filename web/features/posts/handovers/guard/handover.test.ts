import { expect, it } from 'vitest';
import { notesSchema } from './handover.ts';

it('notes are read whatever made their ids', () => {
  const note = {
    note: 'The lamp at gate 2 is out.',
    written_at: '2026-11-22T18:09:44Z',
    guard: 'A',
  };
  // An md5: neither a version nor a variant of RFC 9562.
  const notes = [{ ...note, id: '2a3f6b7b-4dea-a07a-2349-9db6be5437e2' }];
  expect(notesSchema.parse(notes)).toEqual(notes);
});
