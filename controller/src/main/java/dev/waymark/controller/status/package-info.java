/** The status server's way into the cluster: where reports are written, and whose tokens count. */
package dev.waymark.controller.status;
