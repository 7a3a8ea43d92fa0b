// Messages of the contact form. Separate from its rules, whose code loads later.

/** Fixed texts, the same for every way of sending the form. */
export const CONTACT_TEXTS = {
  invalid: 'Validation Error',
  failed: 'Failed to send message. Please try again.',
  sent: 'Message Sent',
  thanks: "Thank you for contacting us. We'll get back to you soon.",
} as const;
