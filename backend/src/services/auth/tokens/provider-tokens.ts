// The provider's own tokens, passed to the app with its session. They are not stored.

export interface ProviderTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** @returns fields for a session response or redirect */
export function tokenFields({ accessToken, refreshToken }: ProviderTokens): Record<string, string> {
  return {
    ...(accessToken ? { provider_token: accessToken } : {}),
    ...(refreshToken ? { provider_refresh_token: refreshToken } : {}),
  };
}
