import { expect, test } from 'vitest';
import { type LetterForm, letterSchema } from './letter-schema.ts';

const LETTER: LetterForm = {
  addressee: 'Ann Cooper',
  address: '',
  by_mail: false,
  email: '',
  subject: 'Broken fence',
  summary: 'The fence at the back gate was broken.',
  actions: '',
  names_included: false,
  photo_ids: [],
  signatory: 'Ellen Freeman',
  signatory_title: '',
};

const messagesOf = (letter: Partial<LetterForm>) =>
  letterSchema(['Prince Dolo', 'Sam'])
    .safeParse({ ...LETTER, ...letter })
    .error?.issues.map(({ path, message }) => [path[0], message]);

test('a letter names nobody inside the company unless names are included', () => {
  expect(messagesOf({})).toBeUndefined();
  const summary = 'Our guard prince dolo found the fence broken.';
  expect(messagesOf({ summary })).toEqual([
    ['summary', 'It names Prince Dolo. Remove the name, or include names.'],
  ]);
  expect(messagesOf({ summary, names_included: true })).toBeUndefined();
  // "Samples" is not Sam.
  expect(messagesOf({ actions: 'Samples were taken.' })).toBeUndefined();
});

test('an email address is needed only to mail it', () => {
  expect(messagesOf({ email: 'nowhere' })).toBeUndefined();
  expect(messagesOf({ by_mail: true, email: 'nowhere' })).toEqual([
    ['email', 'Enter a valid email address'],
  ]);
});
