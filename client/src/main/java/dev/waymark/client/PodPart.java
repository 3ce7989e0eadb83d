package dev.waymark.client;

/**
 * What is kept of a pod: its part in a TrainJob.
 *
 * @param role name of its replicated job: {@code launcher}, {@code node} or an initializer's
 * @param index of the pod in its job; 0 for an initializer
 * @param pod its name
 * @param created as Kubernetes writes it, to the second; empty if unknown
 * @param phase as Kubernetes writes it; empty if unknown
 * @param device of the container that does the part
 * @param trouble what is wrong with it, or empty
 */
record PodPart(
    String role,
    int index,
    String pod,
    String created,
    String phase,
    Device device,
    String trouble) {}
