import type { User } from '@supabase/supabase-js';

/** Whether the account was made for a contact of a client. It only chooses the portal; the database decides what it may read. */
export const isClientContact = (user: User | null): boolean => user?.app_metadata?.client === true;
