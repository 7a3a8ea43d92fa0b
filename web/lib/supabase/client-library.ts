// Loaded on demand: the sign-in screen must not wait for supabase-js on a slow connection.
export { createClient } from '@supabase/supabase-js';
