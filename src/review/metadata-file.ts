/** The file in a skill's folder that holds its reviews. The rest of its content belongs to others. */
export const METADATA_FILE = "metadata.json";
