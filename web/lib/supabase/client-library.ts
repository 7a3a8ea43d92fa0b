// What supabase-js is loaded by: apart from the app, so that the sign-in of a phone on a bad line does not wait for it.
export { createClient } from '@supabase/supabase-js';
