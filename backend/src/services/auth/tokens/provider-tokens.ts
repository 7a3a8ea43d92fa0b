// A provider's own tokens, which the app gets with its session to call the provider itself. They are not kept.

export interface ProviderTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** @returns the fields of a session reply, or of a redirect that holds one */
export function tokenFields({ accessToken, refreshToken }: ProviderTokens): Record<string, string> {
  return {
    ...(accessToken ? { provider_token: accessToken } : {}),
    ...(refreshToken ? { provider_refresh_token: refreshToken } : {}),
  };
}
