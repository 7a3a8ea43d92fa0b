// Types of what Vite adds: import.meta.env, and style and asset imports.
/// <reference types="vite/client" />
