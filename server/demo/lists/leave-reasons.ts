// What people write when they ask for leave, and what they are answered.

export type LeaveType =
  | 'annual'
  | 'sick'
  | 'emergency'
  | 'unpaid'
  | 'maternity'
  | 'paternity'
  | 'bereavement';

export const LEAVE_REASONS: Record<LeaveType, readonly string[]> = {
  annual: [
    'Annual leave, travelling home to see my family upcountry.',
    'Annual leave for the holidays.',
    'Resting after the season; my days were agreed with the shift commander.',
    'Annual leave to repair my house before the rains.',
    'Taking my leave days of this year.',
  ],
  sick: [
    'Malaria, the clinic has given me treatment and rest.',
    'Typhoid, certificate will follow.',
    'Injured ankle, I can not stand a full shift.',
    'High fever since last night.',
    'Dental operation.',
  ],
  emergency: [
    'My child was taken to hospital.',
    'Our house was flooded in the rain.',
    'Family emergency in Gbarnga.',
    'The road is cut and I can not leave my town.',
  ],
  unpaid: [
    'Examinations at my evening school.',
    'Attending a wedding in Ghana, my leave days are used up.',
    'Helping on the family farm at harvest.',
  ],
  maternity: ['Maternity leave, due date confirmed by the clinic.'],
  paternity: ['Birth of our daughter.', 'Birth of our son.'],
  bereavement: [
    'Burial of my father in Voinjama.',
    'My aunt has passed away, the funeral is in Buchanan.',
    'Funeral of my brother.',
  ],
};

export const DECISION_NOTES: Record<'approved' | 'rejected', readonly (string | null)[]> = {
  approved: [null, null, null, 'Approved. Hand over to the shift commander.', 'Get well soon.'],
  rejected: [
    'Too many guards of this site are away that week. Please choose another date.',
    'Your leave days of this year are used up.',
    'Please send the certificate and ask again.',
  ],
};
