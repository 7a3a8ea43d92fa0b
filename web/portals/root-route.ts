// What every address of the app hangs from.
import { createRootRoute } from '@tanstack/react-router';

export const rootRoute = createRootRoute();
