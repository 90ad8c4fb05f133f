// In charge of the channels that send notices outside the app, and of how often each channel sends. Pure.

/** The channels that send notices outside the app; the app itself shows every notice. */
export const noticeChannels = ['mail', 'chat'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

/** The chat services that can receive notices through a webhook; each has its own message format. */
export const chatServices = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
  discord: 'Discord',
} as const
export type ChatService = keyof typeof chatServices

export const digests = {
  at_once: 'At once',
  hourly: 'Once an hour',
  daily: 'Once a day',
} as const
export type Digest = keyof typeof digests
