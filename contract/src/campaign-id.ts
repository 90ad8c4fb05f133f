// In charge of recognising a campaign id that a person types or pastes, for the lookup and the launch dialog. The API
// accepts any text as an id, because other tools have formats of their own.

/** Whether the text is at least fifteen digits and nothing else: no canonical name of a creative has that form. */
export const isCampaignId = (text: string): boolean => /^\d{15,}$/.test(text)
