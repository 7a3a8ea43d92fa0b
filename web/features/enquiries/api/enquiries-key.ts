// Names everything that is kept of the enquiries, so that one change makes all of it load again.
export const enquiriesKey = ['contact_messages'] as const;
