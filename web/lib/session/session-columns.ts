// Apart from the queries, because the script in the office's page requests the same columns without their code.
export const PROFILE_COLUMNS = 'full_name, must_change_password, photo_path';
export const ROLE_COLUMNS = 'role';
