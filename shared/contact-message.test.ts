// The contact form's limits, at and beyond each edge.
import { describe, expect, test } from 'vitest';
import { type ContactField, validateContactForm } from './contact-message.ts';

const valid = {
  name: 'Ama Kollie',
  email: 'ama@example.com',
  company: '',
  message: 'We need two guards at our warehouse.',
};

const longEmail = (length: number) => {
  const labels = `${'a'.repeat(60)}.`.repeat(4);
  const rest = '.example.com';
  return `a@${labels}`.slice(0, length - rest.length).replace(/\.$/, 'a') + rest;
};

const refused: [ContactField, string, string][] = [
  ['name', 'A', 'Name must be at least 2 characters'],
  ['name', '   A   ', 'Name must be at least 2 characters'],
  ['name', '😀', 'Name must be at least 2 characters'],
  ['name', 'A'.repeat(101), 'Name must be less than 100 characters'],
  ['email', '', 'Invalid email address'],
  ['email', 'ama@', 'Invalid email address'],
  ['email', longEmail(256), 'Email must be less than 255 characters'],
  ['company', 'C'.repeat(201), 'Company name must be less than 200 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
  ['message', `${' '.repeat(30)}short`, 'Message must be at least 10 characters'],
  ['message', 'M'.repeat(2001), 'Message must be less than 2000 characters'],
];

const accepted: [ContactField, string][] = [
  ['name', 'Al'],
  ['name', 'A'.repeat(100)],
  ['name', '😀'.repeat(100)],
  ['email', longEmail(255)],
  ['company', 'C'.repeat(200)],
  ['message', 'M'.repeat(10)],
  ['message', 'M'.repeat(2000)],
];

describe('validateContactForm', () => {
  test.each(refused)('refuses %s %j', (field, value, message) => {
    const result = validateContactForm({ ...valid, [field]: value });
    expect(result).toEqual({ valid: false, first: message, errors: { [field]: message } });
  });

  test.each(accepted)('accepts %s of the length at its limit', (field, value) => {
    expect(validateContactForm({ ...valid, [field]: value })).toMatchObject({ valid: true });
  });

  test('trims what is sent', () => {
    const result = validateContactForm({ ...valid, name: '  Ama Kollie ', company: ' Firm ' });
    expect(result).toMatchObject({ message: { name: 'Ama Kollie', company: 'Firm' } });
  });

  test('reports every faulty field, and the first in the order of the form', () => {
    const result = validateContactForm({ name: '', email: '', company: '', message: '' });
    expect(result).toEqual({
      valid: false,
      first: 'Name must be at least 2 characters',
      errors: {
        name: 'Name must be at least 2 characters',
        email: 'Invalid email address',
        message: 'Message must be at least 10 characters',
      },
    });
  });
});
