// In charge of recognising a campaign id that a user types or pastes into the launch dialog. The API accepts any text as a campaign
// id, because other tools have id formats of their own.

/** Whether the text consists of fifteen or more digits; no generated name of a creative has that form. */
export const isCampaignId = (text: string): boolean => /^\d{15,}$/.test(text)
