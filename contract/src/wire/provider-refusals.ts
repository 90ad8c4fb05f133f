// In charge of the refusals for requests about the keys of model providers.

export const providerRefusals = {
  secrets_not_configured: {
    status: 409,
    title: 'Keys cannot be kept here',
    when: 'A key of a provider was given, and there is no `ATELIER_SECRETS_KEY` to seal it with. Nothing was kept.',
    action:
      'An operator sets `ATELIER_SECRETS_KEY` (`openssl rand -hex 32`) in every process, or gives the key by the settings.',
  },
  key_in_settings: {
    status: 409,
    title: 'The settings have the key',
    when: 'A key was given for a provider whose key stands in the settings, which go before the app.',
    action: 'Change the setting, or take it away and give the key in the app.',
  },
  provider_without_address: {
    status: 409,
    title: 'The provider has no address',
    when: 'A key was given for a provider that only an operator can say the address of.',
    action: 'An operator sets `ATELIER_PROVIDER_URLS`.',
  },
  provider_without_key: {
    status: 409,
    title: 'There is no key',
    when: 'A check was asked for of a provider without a key, or with one that cannot be opened.',
    action: 'Give the key first.',
  },
} as const
