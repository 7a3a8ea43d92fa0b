/** Bytes of the rows of one import. Below `max_body_bytes` in supabase/config.toml, for the author and line of each row. */
export const MOST_IMPORT_BYTES = 3.5 * 1024 * 1024;
